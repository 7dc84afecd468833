import { contract } from '../../kernel/contract.ts';
import { orderBody, orderIdText } from './order.ts';

export const cancelOrderContract = contract({
  id: 'cancelOrder',
  method: 'POST',
  path: '/store/orders/{orderId}/cancel',
  command: 'orders cancel',
  tag: 'Store',
  summary: 'Cancel an order',
  description:
    'Ends an order that is `placed` or `approved`: its animal is `available` again. Writes `order.cancelled` and ' +
    '`pet.status_changed`.',
  scope: 'orders:write',
  input: { path: { orderId: orderIdText } },
  answer: { status: 200, description: 'The order as it is now', body: orderBody },
  failures: ['invalid_status_transition'],
  stability: 'beta',
});

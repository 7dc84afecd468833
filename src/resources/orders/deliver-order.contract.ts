import { contract } from '../../kernel/contract.ts';
import { orderBody, orderIdText } from './order.ts';

export const deliverOrderContract = contract({
  id: 'deliverOrder',
  method: 'POST',
  path: '/store/orders/{orderId}/deliver',
  command: 'orders deliver',
  tag: 'Store',
  summary: 'Deliver an order',
  description:
    'Completes an order that is `approved`: its animal is `sold`. Writes `order.delivered` and `pet.status_changed`.',
  scope: 'orders:write',
  input: { path: { orderId: orderIdText } },
  answer: { status: 200, description: 'The order as it is now', body: orderBody },
  failures: ['invalid_status_transition'],
  stability: 'beta',
});

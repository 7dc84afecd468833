import { contract } from '../../kernel/contract.ts';
import { orderBody, orderIdText } from './order.ts';

export const approveOrderContract = contract({
  id: 'approveOrder',
  method: 'POST',
  path: '/store/orders/{orderId}/approve',
  command: 'orders approve',
  tag: 'Store',
  summary: 'Approve an order',
  description:
    'Approves an order that is `placed`, unless its hold has ended. It no longer expires. Writes `order.approved`.',
  scope: 'orders:write',
  input: { path: { orderId: orderIdText } },
  answer: { status: 200, description: 'The order as it is now', body: orderBody },
  failures: ['invalid_status_transition'],
  stability: 'beta',
});

import { contract } from '../../kernel/contract.ts';
import { newOrder, orderBody } from './order.ts';

export const placeOrderContract = contract({
  id: 'placeOrder',
  method: 'POST',
  path: '/store/orders',
  command: 'orders place',
  tag: 'Store',
  summary: 'Place an order',
  description:
    'Orders an animal that is `available` and holds it: it becomes `pending` until the order is delivered, cancelled or, ' +
    'if nobody approves it in time, expired. Of any number of orders for one animal exactly one succeeds. Writes ' +
    '`order.placed` and `pet.status_changed`.',
  scope: 'orders:write',
  input: { body: newOrder },
  row: 'petId',
  answer: { status: 201, description: 'Order placed', body: orderBody, headers: ['Location'] },
  failures: ['not_found', 'pet_not_available'],
  stability: 'beta',
});

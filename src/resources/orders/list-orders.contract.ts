import { contract } from '../../kernel/contract.ts';
import { int64Text } from '../../kernel/int64.ts';
import { EXAMPLE, listOf } from '../../kernel/schema.ts';
import { orderBody, orderStatus } from './order.ts';

export const listOrdersContract = contract({
  id: 'listOrders',
  method: 'GET',
  path: '/store/orders',
  command: 'orders list',
  tag: 'Store',
  summary: 'List orders',
  description: 'Returns a paginated list of orders. Filters combine.',
  scope: 'orders:read',
  input: {
    query: {
      status: orderStatus.optional().meta({ description: 'Only orders with this status.' }),
      petId: int64Text.optional().meta({ description: 'Only orders for this animal.', examples: [EXAMPLE.petId] }),
    },
  },
  paged: int64Text,
  answer: {
    status: 200,
    description: 'A page of orders',
    body: listOf(orderBody, { id: 'Orders', description: 'Orders, ordered by id.' }),
  },
  stability: 'beta',
});

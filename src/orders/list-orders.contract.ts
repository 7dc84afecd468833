import { z } from 'zod';
import { contract } from '../kernel/contract.ts';
import { int64Text } from '../kernel/int64.ts';
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
      status: orderStatus.optional(),
      petId: int64Text.optional().meta({ description: 'Only orders for this animal.' }),
    },
  },
  paged: int64Text,
  answer: {
    status: 200,
    description: 'A page of orders',
    body: z.array(orderBody).meta({ id: 'Orders', description: 'Orders, ordered by id.' }),
  },
  stability: 'beta',
});

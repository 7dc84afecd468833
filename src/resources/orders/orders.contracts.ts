import { contract } from '../../kernel/contract.ts';
import { int64Text } from '../../kernel/int64.ts';
import { EXAMPLE, listOf } from '../../kernel/schema.ts';
import { newOrder, orderBody, orderIdText, orderStatus } from './order.ts';

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
      petId: int64Text.optional().meta({ description: 'Only orders for this pet.', examples: [EXAMPLE.petId] }),
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

export const placeOrderContract = contract({
  id: 'placeOrder',
  method: 'POST',
  path: '/store/orders',
  command: 'orders place',
  tag: 'Store',
  summary: 'Place an order',
  description:
    'Orders a pet that is `available`, and holds it: the pet is `pending` until the order is delivered or cancelled, or ' +
    'expires because nobody approved it in time. If several orders for one pet arrive together, exactly one succeeds. ' +
    'Writes `order.placed` and `pet.status_changed`.',
  scope: 'orders:write',
  input: { body: newOrder },
  row: 'petId',
  answer: { status: 201, description: 'Order placed', body: orderBody, headers: ['Location'] },
  failures: ['not_found', 'pet_not_available'],
  stability: 'beta',
});

export const getOrderContract = contract({
  id: 'getOrder',
  method: 'GET',
  path: '/store/orders/{orderId}',
  command: 'orders get',
  tag: 'Store',
  summary: 'Get an order',
  description: 'Returns one order, in any status.',
  scope: 'orders:read',
  input: { path: { orderId: orderIdText } },
  answer: { status: 200, description: 'The order', body: orderBody },
  stability: 'beta',
});

export const approveOrderContract = contract({
  id: 'approveOrder',
  method: 'POST',
  path: '/store/orders/{orderId}/approve',
  command: 'orders approve',
  tag: 'Store',
  summary: 'Approve an order',
  description:
    'Approves an order that is `placed`, unless its hold has ended. An approved order does not expire. ' +
    'Writes `order.approved`.',
  scope: 'orders:write',
  input: { path: { orderId: orderIdText } },
  answer: { status: 200, description: 'The updated order', body: orderBody },
  failures: ['invalid_status_transition'],
  stability: 'beta',
});

export const deliverOrderContract = contract({
  id: 'deliverOrder',
  method: 'POST',
  path: '/store/orders/{orderId}/deliver',
  command: 'orders deliver',
  tag: 'Store',
  summary: 'Deliver an order',
  description:
    'Completes an order that is `approved`. Its pet becomes `sold`. Writes `order.delivered` and `pet.status_changed`.',
  scope: 'orders:write',
  input: { path: { orderId: orderIdText } },
  answer: { status: 200, description: 'The updated order', body: orderBody },
  failures: ['invalid_status_transition'],
  stability: 'beta',
});

export const cancelOrderContract = contract({
  id: 'cancelOrder',
  method: 'POST',
  path: '/store/orders/{orderId}/cancel',
  command: 'orders cancel',
  tag: 'Store',
  summary: 'Cancel an order',
  description:
    'Cancels an order that is `placed` or `approved`. Its pet becomes `available` again. Writes `order.cancelled` and ' +
    '`pet.status_changed`.',
  scope: 'orders:write',
  input: { path: { orderId: orderIdText } },
  answer: { status: 200, description: 'The updated order', body: orderBody },
  failures: ['invalid_status_transition'],
  stability: 'beta',
});

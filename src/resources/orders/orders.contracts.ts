import { contract } from '../../kernel/contract.ts';
import { EXAMPLE, instantText, int64Text, listOf, parsed, parseInt64 } from '../../kernel/schema.ts';
import { newOrder, orderBody, orderIdText, orderStatus, type PlacedPosition } from './order.ts';

const ORDERS = { tag: 'Store', stability: 'beta' } as const;
const orders = listOf(orderBody, 'Orders', 'Orders, sorted by id, or by time if `placedFrom` or `placedTo` is given.');

const placedPosition = parsed((text): PlacedPosition | undefined => {
  const [id, placedAt, ...rest] = text.split('.');
  const position = { id: parseInt64(id ?? ''), placedAt: placedAt === undefined ? 0n : parseInt64(placedAt) };
  const isSafe = position.placedAt !== undefined && Number.isSafeInteger(Number(position.placedAt));
  if (position.id === undefined || !isSafe || rest.length > 0) return undefined;
  return { id: position.id, ...(placedAt === undefined ? {} : { placedAt: Number(placedAt) }) };
}, 'must be an id, or an id and a time');

export const listOrdersContract = contract('listOrders', 'GET', '/store/orders', {
  ...ORDERS,
  command: 'orders list',
  summary: 'List orders',
  description:
    'Returns a paginated list of orders. Filters can be combined, except `petId` with times. With `placedFrom` or ' +
    '`placedTo`, orders are sorted by `placedAt` instead of by id.',
  scope: 'orders:read',
  input: {
    query: {
      status: orderStatus.optional().describe('Only orders with this status.'),
      petId: int64Text.optional().meta({ description: 'Only orders for this pet.', examples: [EXAMPLE.petId] }),
      placedFrom: instantText
        .optional()
        .meta({ description: 'Only orders placed at this time or later.', examples: [EXAMPLE.time] }),
      placedTo: instantText
        .optional()
        .meta({ description: 'Only orders placed before this time.', examples: [EXAMPLE.later] }),
    },
  },
  paged: placedPosition,
  answer: { status: 200, description: 'A page of orders', body: orders },
});

export const placeOrderContract = contract('placeOrder', 'POST', '/store/orders', {
  ...ORDERS,
  command: 'orders place',
  summary: 'Place an order',
  description:
    'Orders an `available` pet and holds it: the pet is `pending` until the order is delivered, is cancelled, or ' +
    'expires because nobody approved it in time. If several orders for the same pet arrive together, exactly one ' +
    'succeeds. Writes `order.placed` and `pet.status_changed` events.',
  scope: 'orders:write',
  input: { body: newOrder },
  row: 'petId',
  answer: { status: 201, description: 'Order placed', body: orderBody, headers: ['Location'] },
  failures: ['not_found', 'pet_not_available'],
});

export const getOrderContract = contract('getOrder', 'GET', '/store/orders/{orderId}', {
  ...ORDERS,
  command: 'orders get',
  summary: 'Get an order',
  description: 'Returns one order, in any status.',
  scope: 'orders:read',
  input: { path: { orderId: orderIdText } },
  answer: { status: 200, description: 'The order', body: orderBody },
});

const TRANSITION = {
  ...ORDERS,
  scope: 'orders:write',
  input: { path: { orderId: orderIdText } },
  answer: { status: 200, description: 'The updated order', body: orderBody },
  failures: ['invalid_status_transition'],
} as const;

export const approveOrderContract = contract('approveOrder', 'POST', '/store/orders/{orderId}/approve', {
  ...TRANSITION,
  command: 'orders approve',
  summary: 'Approve an order',
  description:
    'Approves a `placed` order, unless its hold has expired. An approved order does not expire. Writes an ' +
    '`order.approved` event.',
});

export const deliverOrderContract = contract('deliverOrder', 'POST', '/store/orders/{orderId}/deliver', {
  ...TRANSITION,
  command: 'orders deliver',
  summary: 'Deliver an order',
  description:
    'Completes an `approved` order. Its pet becomes `sold`. Writes `order.delivered` and `pet.status_changed` events.',
});

export const cancelOrderContract = contract('cancelOrder', 'POST', '/store/orders/{orderId}/cancel', {
  ...TRANSITION,
  command: 'orders cancel',
  summary: 'Cancel an order',
  description:
    'Cancels a `placed` or `approved` order. Its pet becomes `available` again. Writes `order.cancelled` and ' +
    '`pet.status_changed` events.',
});

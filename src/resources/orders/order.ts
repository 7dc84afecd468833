import { z } from 'zod';
import type { BodyOf } from '../../kernel/contract.ts';
import { Failure } from '../../kernel/failure.ts';
import { EXAMPLE, formatInstant, instant, int64, int64Text, jsonInteger, objectOf } from '../../kernel/schema.ts';

export const ORDER_STATUSES = ['placed', 'approved', 'delivered', 'cancelled', 'expired'] as const;

export type OrderStatus = (typeof ORDER_STATUSES)[number];

export type Order = {
  id: bigint;
  petId: bigint;
  status: OrderStatus;
  placedByKeyId: string;
  placedAt: number;
  updatedAt: number;
  /** Time when the reservation ends. Null unless the order is `placed`. */
  expiresAt: number | null;
};

const NEXT: Record<OrderStatus, readonly OrderStatus[]> = {
  placed: ['approved', 'cancelled', 'expired'],
  approved: ['delivered', 'cancelled'],
  delivered: [],
  cancelled: [],
  expired: [],
};

const spellRefusal = ({ id, status }: Order, to: OrderStatus, isLate: boolean): string => {
  const path = `POST /store/orders/${id}`;
  if (isLate)
    return `The hold for order ${id} has expired, so the order cannot be approved. Place a new order (POST /store/orders).`;
  if (status === 'placed') return `Order ${id} is \`placed\`; approve it before you deliver it (${path}/approve).`;
  if (status === 'approved') return `Order ${id} is already \`approved\`; deliver it (${path}/deliver) or cancel it.`;
  if (status === to) return `Order ${id} is already \`${to}\`, which is final. Place a new order (POST /store/orders).`;
  return `Order ${id} is \`${status}\`, which is final, so it cannot become \`${to}\`. Place a new order (POST /store/orders).`;
};

/** An expired order cannot be approved, even if the expiry job has not run yet. */
export const refuseOrderMove = (order: Order, to: OrderStatus, now: number): void => {
  const isLate = to === 'approved' && order.expiresAt !== null && now >= order.expiresAt;
  if (!isLate && NEXT[order.status].includes(to)) return;
  throw new Failure('invalid_status_transition', spellRefusal(order, to, isLate));
};

export const orderIdText = int64Text.meta({ description: 'The identifier of the order.', examples: [EXAMPLE.orderId] });

export const orderStatus = z.enum(ORDER_STATUSES, { error: `must be one of ${ORDER_STATUSES.join(', ')}` }).meta({
  id: 'OrderStatus',
  description:
    'Status of the order. `placed` can change to `approved`, `cancelled`, or, when the hold ends, `expired`. ' +
    '`approved` can change to `delivered` or `cancelled`. The other statuses are final.',
  examples: ['placed'],
});

export const newOrder = objectOf({ petId: EXAMPLE.petId }, 'OrderCreation', 'An order to place.', {
  petId: int64.meta({ description: 'The pet to order. It must be `available`.', examples: [EXAMPLE.petId] }),
});

const ORDER = {
  id: EXAMPLE.orderId,
  petId: EXAMPLE.petId,
  status: 'placed',
  placedAt: EXAMPLE.time,
  updatedAt: EXAMPLE.time,
  expiresAt: EXAMPLE.later,
};

export const orderBody = objectOf(ORDER, 'Order', 'An order for one pet.', {
  id: int64.describe('Assigned by the service when the order is placed.'),
  petId: int64.describe('The ordered pet.'),
  status: orderStatus,
  placedAt: instant.describe('When the order was placed.'),
  updatedAt: instant.describe('When the status last changed.'),
  expiresAt: instant.nullable().describe('When the hold on the pet ends; null once the order is no longer `placed`.'),
});

export const toOrderBody = (order: Order): BodyOf<typeof orderBody> => ({
  id: jsonInteger(order.id),
  petId: jsonInteger(order.petId),
  status: order.status,
  placedAt: formatInstant(order.placedAt),
  updatedAt: formatInstant(order.updatedAt),
  expiresAt: formatInstant(order.expiresAt),
});

export type PlacedPosition = { placedAt?: number; id: bigint };

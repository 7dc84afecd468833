import { z } from 'zod';
import type { BodyOf } from '../../kernel/contract.ts';
import { Failure } from '../../kernel/failure.ts';
import { int64, int64Text, jsonInteger } from '../../kernel/int64.ts';
import { EXAMPLE, instant, spellInstant } from '../../kernel/schema.ts';

const ORDER_STATUSES = ['placed', 'approved', 'delivered', 'cancelled', 'expired'] as const;

export type OrderStatus = (typeof ORDER_STATUSES)[number];

export type Order = {
  id: bigint;
  petId: bigint;
  status: OrderStatus;
  placedByKeyId: string;
  placedAt: number;
  updatedAt: number;
  /** When the hold on the pet ends; null once the order is no longer `placed`. */
  expiresAt: number | null;
};

/** Allowed moves by status. */
const NEXT: Record<OrderStatus, readonly OrderStatus[]> = {
  placed: ['approved', 'cancelled', 'expired'],
  approved: ['delivered', 'cancelled'],
  delivered: [],
  cancelled: [],
  expired: [],
};

/** Refuses to approve an order after its hold ended, even if the expiry job has not run yet. */
export const refuseOrderMove = (order: Order, to: OrderStatus, now: number): void => {
  const isLate = to === 'approved' && order.expiresAt !== null && now >= order.expiresAt;
  if (!isLate && NEXT[order.status].includes(to)) return;
  const reason = isLate ? 'is past its hold and' : `is ${order.status} and`;
  throw new Failure('invalid_status_transition', `The order ${order.id} ${reason} cannot become ${to}.`);
};

export const orderIdText = int64Text.meta({ description: 'The identifier of the order.', examples: [EXAMPLE.orderId] });

export const orderStatus = z.enum(ORDER_STATUSES, { error: `must be one of ${ORDER_STATUSES.join(', ')}` }).meta({
  id: 'OrderStatus',
  description:
    'Where the order stands: `placed`, then `approved`, then `delivered`; `placed` or `approved`, then `cancelled`; ' +
    '`placed`, then `expired` when its hold ends.',
  examples: ['placed'],
});

export const newOrder = z
  .object(
    { petId: int64.meta({ description: 'The animal to buy. It has to be `available`.', examples: [EXAMPLE.petId] }) },
    { error: 'must be a JSON object' },
  )
  .meta({ id: 'OrderCreation', description: 'An order to place.', examples: [{ petId: EXAMPLE.petId }] });

export const orderBody = z
  .object({
    id: int64.meta({ description: 'Assigned by the service when it is placed.' }),
    petId: int64.meta({ description: 'The animal that is bought.' }),
    status: orderStatus,
    placedAt: instant.meta({ description: 'When it was placed.' }),
    updatedAt: instant.meta({ description: 'When its status last changed.' }),
    expiresAt: instant.nullable().meta({ description: 'When the hold ends; null once it is not `placed`.' }),
  })
  .meta({
    id: 'Order',
    description: 'An order for one animal.',
    examples: [
      {
        id: EXAMPLE.orderId,
        petId: EXAMPLE.petId,
        status: 'placed',
        placedAt: EXAMPLE.time,
        updatedAt: EXAMPLE.time,
        expiresAt: EXAMPLE.later,
      },
    ],
  });

export const toOrderBody = (order: Order): BodyOf<typeof orderBody> => ({
  id: jsonInteger(order.id),
  petId: jsonInteger(order.petId),
  status: order.status,
  placedAt: spellInstant(order.placedAt),
  updatedAt: spellInstant(order.updatedAt),
  expiresAt: order.expiresAt === null ? null : spellInstant(order.expiresAt),
});

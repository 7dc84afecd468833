import { changedFields } from '../kernel/changed-fields.ts';
import type { Clock } from '../kernel/clock.ts';
import type { EventLog } from '../kernel/event.ts';
import { type PetStatus, petChanges } from '../pets/pet.ts';
import type { PetStore } from '../pets/pets.store.ts';
import { type Order, type OrderStatus, refuseOrderMove, toOrderBody } from './order.ts';
import type { OrderStore } from './orders.store.ts';

export type MoveStores = { pets: PetStore; orders: OrderStore; events: EventLog; now: Clock };

type Move = Exclude<OrderStatus, 'placed'>;

/** What becomes of the animal; an approved order goes on holding it. */
const FREES: Record<Move, PetStatus | undefined> = {
  approved: undefined,
  delivered: 'sold',
  cancelled: 'available',
  expired: 'available',
};

/** Moves an order, and with it the animal it holds: order, animal and events change together. */
export const moveOrder = async (stores: MoveStores, order: Order, to: Move): Promise<Order> => {
  const now = stores.now();
  refuseOrderMove(order, to, now);
  const moved: Order = { ...order, status: to, updatedAt: now, expiresAt: null };
  const status = FREES[to];
  const pet = status && (await stores.pets.lock(order.petId));
  await stores.orders.update(moved);
  const shown = toOrderBody(moved);
  const previous = changedFields(toOrderBody(order), shown) ?? {};
  await stores.events.append({ type: `order.${to}`, object: shown, previous, orderId: order.id });

  if (pet) {
    const freed = await stores.pets.update(pet, { status, heldByOrderId: null });
    for (const change of petChanges(pet, freed, order.id)) await stores.events.append(change);
  }
  return moved;
};

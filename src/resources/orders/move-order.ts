import type { Clock } from '../../kernel/clock.ts';
import { changedFields, type EventLog } from '../../kernel/event.ts';
import { type PetStatus, petChanges } from '../pets/pet.ts';
import type { PetRepository } from '../pets/pets.repository.ts';
import { type Order, type OrderStatus, refuseOrderMove, toOrderBody } from './order.ts';
import type { OrderRepository } from './orders.repository.ts';

export type MoveRepositories = { pets: PetRepository; orders: OrderRepository; events: EventLog; now: Clock };

type Move = Exclude<OrderStatus, 'placed'>;

/** What becomes of the animal; an approved order goes on holding it. */
const FREES: Record<Move, PetStatus | undefined> = {
  approved: undefined,
  delivered: 'sold',
  cancelled: 'available',
  expired: 'available',
};

/** Moves an order, and with it the animal it holds: order, animal and events change together. */
export const moveOrder = async (repositories: MoveRepositories, order: Order, to: Move): Promise<Order> => {
  const now = repositories.now();
  refuseOrderMove(order, to, now);
  const moved: Order = { ...order, status: to, updatedAt: now, expiresAt: null };
  const status = FREES[to];
  const pet = status && (await repositories.pets.lock(order.petId));
  await repositories.orders.update(moved);
  const shown = toOrderBody(moved);
  const previous = changedFields(toOrderBody(order), shown) ?? {};
  await repositories.events.append({ type: `order.${to}`, object: shown, previous, orderId: order.id });

  if (pet) {
    const freed = await repositories.pets.update(pet, { status, heldByOrderId: null });
    for (const change of petChanges(pet, freed, order.id)) await repositories.events.append(change);
  }
  return moved;
};

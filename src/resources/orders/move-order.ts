import { orNotFound } from '../../kernel/failure.ts';
import { changedFields, type EventLog, writes } from '../../kernel/operation.ts';
import type { Clock } from '../../kernel/runtime.ts';
import { type PetStatus, petChanges } from '../pets/pet.ts';
import type { PetRepository } from '../pets/pets.repository.ts';
import { type Order, type OrderStatus, refuseOrderMove, toOrderBody } from './order.ts';
import { approveOrderContract, cancelOrderContract, deliverOrderContract } from './orders.contracts.ts';
import type { OrderRepository } from './orders.repository.ts';

export type OrderRepositories = { pets: PetRepository; orders: OrderRepository; events: EventLog; now: Clock };

type Move = Exclude<OrderStatus, 'placed'>;

/** An approved order still reserves its pet, so the pet's status does not change. */
const PET_STATUS: Record<Move, PetStatus | undefined> = {
  approved: undefined,
  delivered: 'sold',
  cancelled: 'available',
  expired: 'available',
};

export const moveOrder = async (repositories: OrderRepositories, order: Order, to: Move): Promise<Order> => {
  const now = repositories.now();
  refuseOrderMove(order, to, now);
  const moved: Order = { ...order, status: to, updatedAt: now, expiresAt: null };
  const status = PET_STATUS[to];
  const pet = status && (await repositories.pets.lock(order.petId));
  await repositories.orders.update(moved);
  const shown = toOrderBody(moved);
  const previous = changedFields(toOrderBody(order), shown) ?? {};
  await repositories.events.append({
    type: `order.${to}`,
    object: shown,
    previous,
    petId: order.petId,
    orderId: order.id,
  });

  if (pet) {
    const freed = await repositories.pets.update(pet, { status, heldByOrderId: null });
    for (const change of petChanges(pet, freed, order.id)) await repositories.events.append(change);
  }
  return moved;
};

type MoveContract = typeof approveOrderContract | typeof deliverOrderContract | typeof cancelOrderContract;

const movesTo = (contract: MoveContract, to: Move) =>
  writes(contract, async (repositories: OrderRepositories, { path: { orderId } }) => {
    const order = orNotFound(await repositories.orders.lock(orderId), 'order', orderId);
    return { body: toOrderBody(await moveOrder(repositories, order, to)) };
  });

export const approveOrder = movesTo(approveOrderContract, 'approved');
export const deliverOrder = movesTo(deliverOrderContract, 'delivered');
export const cancelOrder = movesTo(cancelOrderContract, 'cancelled');

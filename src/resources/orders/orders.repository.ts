import type { PageRequest } from '../../kernel/contract.ts';
import { changedFields, type EventLog } from '../../kernel/operation.ts';
import type { Clock } from '../../kernel/runtime.ts';
import { type Pet, type PetStatus, petChanges } from '../pets/pet.ts';
import { type Order, type OrderStatus, type PlacedPosition, refuseOrderMove, toOrderBody } from './order.ts';

/** Orders placed exactly at `placedFrom` match; orders placed exactly at `placedTo` do not. */
type PlacedRange = { placedFrom?: number | undefined; placedTo?: number | undefined };

type OrderFilter = PlacedRange & { status?: OrderStatus | undefined; petId?: bigint | undefined };

export const isByTime = ({ placedFrom, placedTo }: PlacedRange): boolean =>
  placedFrom !== undefined || placedTo !== undefined;

export type OrderReads = {
  find(id: bigint): Promise<Order | undefined>;
  /** If the filter has a time, sorts by the time when the orders were placed, then by id. Otherwise, sorts by id. */
  list(filter: OrderFilter, page: PageRequest<PlacedPosition>): Promise<Order[]>;
};

export type OrderRepository = OrderReads & {
  lock(id: bigint): Promise<Order | undefined>;
  /** The new order never gets the id of a deleted order. */
  insert(order: Omit<Order, 'id'>): Promise<Order>;
  update(order: Order): Promise<void>;
  removeSome(most: number): Promise<number>;
};

export type DueOrders = { list(now: number, most: number): Promise<{ storeId: bigint; id: bigint }[]> };

type HeldPets = {
  lock(id: bigint): Promise<Pet | undefined>;
  update(pet: Pet, changes: Partial<Pick<Pet, 'status' | 'heldByOrderId'>>): Promise<Pet>;
};

export type OrderRepositories = { pets: HeldPets; orders: OrderRepository; events: EventLog; now: Clock };

export const holdPet = async (
  { pets, orders, events, now }: OrderRepositories,
  pet: Pet,
  { keyId, holdMs }: { keyId: string; holdMs: number },
): Promise<Order> => {
  const at = now();
  const times = { placedAt: at, updatedAt: at, expiresAt: at + holdMs };
  const order = await orders.insert({ petId: pet.id, status: 'placed', placedByKeyId: keyId, ...times });
  const held = await pets.update(pet, { status: 'pending', heldByOrderId: order.id });
  await events.append({ type: 'order.placed', object: toOrderBody(order), petId: pet.id, orderId: order.id });
  for (const change of petChanges(pet, held, order.id)) await events.append(change);
  return order;
};

export type Move = Exclude<OrderStatus, 'placed'>;

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
  const { id: orderId, petId } = order;
  const status = PET_STATUS[to];
  const pet = status && (await repositories.pets.lock(petId));
  await repositories.orders.update(moved);
  const shown = toOrderBody(moved);
  const previous = changedFields(toOrderBody(order), shown) ?? {};
  await repositories.events.append({ type: `order.${to}`, object: shown, previous, petId, orderId });

  if (pet) {
    const freed = await repositories.pets.update(pet, { status, heldByOrderId: null });
    for (const change of petChanges(pet, freed, orderId)) await repositories.events.append(change);
  }
  return moved;
};

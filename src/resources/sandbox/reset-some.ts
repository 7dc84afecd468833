import type { Clock } from '../../kernel/clock.ts';
import type { EventLog } from '../../kernel/event.ts';
import type { CategoryRepository } from '../categories/categories.repository.ts';
import type { OrderRepository } from '../orders/orders.repository.ts';
import { toPetBody } from '../pets/pet.ts';
import type { PetRepository } from '../pets/pets.repository.ts';
import type { Reset } from '../stores/store.ts';
import type { StoreRepository } from '../stores/stores.repository.ts';
import { seedStore } from './seed-store.ts';

export type ResetRepositories = {
  pets: PetRepository;
  orders: OrderRepository;
  categories: CategoryRepository;
  stores: StoreRepository;
  events: EventLog;
  now: Clock;
};

/** So many rows in one transaction: others wait while it runs. */
const REMOVED_AT_ONCE = 100;

/**
 * One step of a reset, in a transaction of its own: takes away some of what there is, and fills the store anew once nothing
 * is left. Orders go first, so that none is open whose animal is gone.
 */
export const resetSome = async (repositories: ResetRepositories, { storeId, keyId }: Reset): Promise<void> => {
  const { stores, orders, pets, categories, events } = repositories;
  // Another instance may have ended it since it was found.
  if (!(await stores.continueReset(storeId))) return;
  let left = REMOVED_AT_ONCE - (await orders.removeSome(REMOVED_AT_ONCE));
  if (left > 0) {
    const removed = await pets.removeSome(left);
    await events.appendMany(removed.map((pet) => ({ type: 'pet.deleted', object: toPetBody(pet), petId: pet.id })));
    left -= removed.length;
  }
  if (left > 0) left -= await categories.removeSome(left);
  if (left === 0) return;
  await stores.addFirstCategories(storeId);
  await seedStore(repositories, keyId ?? '');
  await stores.endReset(storeId);
};

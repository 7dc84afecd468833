import type { Clock } from '../kernel/clock.ts';
import type { EventLog } from '../kernel/event.ts';
import { writes } from '../kernel/operation.ts';
import type { OrderRepository } from '../orders/orders.repository.ts';
import { toPetBody } from '../pets/pet.ts';
import type { PetRepository } from '../pets/pets.repository.ts';
import type { StoreRepository } from '../stores/stores.repository.ts';
import { resetSandboxContract } from './reset-sandbox.contract.ts';
import { seedStore } from './seed-store.ts';

type Repositories = {
  pets: PetRepository;
  orders: OrderRepository;
  stores: StoreRepository;
  events: EventLog;
  now: Clock;
};

export const resetSandbox = writes(resetSandboxContract, async (repositories: Repositories, _, { keyId, storeId }) => {
  // One that comes meanwhile has to see what this one put in.
  await repositories.stores.lock(storeId);
  await repositories.orders.removeAll();
  for (const pet of await repositories.pets.removeAll()) {
    await repositories.events.append({ type: 'pet.deleted', object: toPetBody(pet), petId: pet.id });
  }
  await repositories.stores.restoreCategories(storeId);
  await seedStore(repositories, keyId ?? '');
  return {};
});

import type { Clock } from '../kernel/clock.ts';
import type { EventLog } from '../kernel/event.ts';
import { writes } from '../kernel/operation.ts';
import type { OrderStore } from '../orders/orders.store.ts';
import { toPetBody } from '../pets/pet.ts';
import type { PetStore } from '../pets/pets.store.ts';
import type { StoreStore } from '../stores/stores.store.ts';
import { fillStore } from './fill-store.ts';
import { resetSandboxContract } from './reset-sandbox.contract.ts';

type Stores = { pets: PetStore; orders: OrderStore; stores: StoreStore; events: EventLog; now: Clock };

export const resetSandbox = writes(resetSandboxContract, async (stores: Stores, _, { keyId, storeId }) => {
  // One that comes meanwhile has to see what this one put in.
  await stores.stores.lock(storeId);
  await stores.orders.removeAll();
  for (const pet of await stores.pets.removeAll()) {
    await stores.events.append({ type: 'pet.deleted', object: toPetBody(pet), petId: pet.id });
  }
  await stores.stores.restoreCategories(storeId);
  await fillStore(stores, keyId ?? '');
  return {};
});

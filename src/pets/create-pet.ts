import type { CategoryStore } from '../categories/categories.store.ts';
import type { EventLog } from '../kernel/event.ts';
import { writes } from '../kernel/operation.ts';
import { createPetContract } from './create-pet.contract.ts';
import { toPetBody } from './pet.ts';
import type { PetStore } from './pets.store.ts';

type Stores = { pets: PetStore; categories: CategoryStore; events: EventLog };

export const createPet = writes(createPetContract, async (stores: Stores, { body }) => {
  await stores.categories.record(body.categoryId);
  const pet = await stores.pets.insert(body);

  const shown = toPetBody(pet);
  await stores.events.append({ type: 'pet.created', object: shown, petId: pet.id });
  return { body: shown, version: pet.version, location: `/pets/${pet.id}` };
});

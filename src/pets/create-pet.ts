import type { CategoryRepository } from '../categories/categories.repository.ts';
import type { EventLog } from '../kernel/event.ts';
import { writes } from '../kernel/operation.ts';
import { createPetContract } from './create-pet.contract.ts';
import { refuseFullStore, toPetBody } from './pet.ts';
import type { PetRepository } from './pets.repository.ts';

type Repositories = { pets: PetRepository; categories: CategoryRepository; events: EventLog };

/** In a sandbox there is an end to it; elsewhere `mostPets` is undefined. */
type Deps = { mostPets?: number | undefined };

export const createPet = writes(createPetContract, async (repositories: Repositories, { body }, _, deps: Deps) => {
  if (deps.mostPets !== undefined) refuseFullStore(await repositories.pets.inventory(), deps.mostPets);
  await repositories.categories.record(body.categoryId);
  const pet = await repositories.pets.insert(body);

  const shown = toPetBody(pet);
  await repositories.events.append({ type: 'pet.created', object: shown, petId: pet.id });
  return { body: shown, version: pet.version, location: `/pets/${pet.id}` };
});

import type { EventLog } from '../../kernel/event.ts';
import { writes } from '../../kernel/operation.ts';
import type { CategoryRepository } from '../categories/categories.repository.ts';
import { toPetBody } from './pet.ts';
import { refuseFullStore } from './pet-limit.ts';
import { createPetContract } from './pets.contracts.ts';
import type { PetRepository } from './pets.repository.ts';

type Repositories = { pets: PetRepository; categories: CategoryRepository; events: EventLog };

type Deps = { mostPets?: number | undefined };

export const createPet = writes(
  createPetContract,
  async (repositories: Repositories, { body }, { petLimit }, { mostPets }: Deps) => {
    await refuseFullStore(repositories.pets, { petLimit, mostPets }, 1);
    await repositories.categories.record(body.categoryId);
    const pet = await repositories.pets.insert(body);

    const shown = toPetBody(pet);
    await repositories.events.append({ type: 'pet.created', object: shown, petId: pet.id });
    return { body: shown, version: pet.version, location: `/pets/${pet.id}` };
  },
);

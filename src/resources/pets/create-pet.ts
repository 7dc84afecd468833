import { Failure } from '../../kernel/failure.ts';
import { type EventLog, writes } from '../../kernel/operation.ts';
import { formatCount } from '../../kernel/schema.ts';
import type { CategoryRepository } from '../categories/categories.repository.ts';
import { type PetLimits, petLimitOf, toPetBody } from './pet.ts';
import { createPetContract } from './pets.contracts.ts';
import type { PetRepository } from './pets.repository.ts';

export type PetRepositories = { pets: PetRepository; categories: CategoryRepository; events: EventLog };

export const refuseFullStore = async (pets: PetRepository, limits: PetLimits, more: number): Promise<void> => {
  const limit = petLimitOf(limits);
  if (limit === null) return;
  const count = await pets.countForLimit(limit - more);
  if (count + more <= limit) return;
  const advice = limits.maxPets === undefined ? '' : 'reset the sandbox (POST /sandbox/reset), ';
  throw new Failure(
    'store_full',
    `The store has ${formatCount(count)} pets; adding ${formatCount(more)} would exceed the limit of ${formatCount(limit)}. ` +
      `Delete pets, ${advice}or ask the operator for a larger plan.`,
  );
};

export const createPet = writes(
  createPetContract,
  async (repositories: PetRepositories, { body }, { petLimit }, { maxPets }: Pick<PetLimits, 'maxPets'>) => {
    await refuseFullStore(repositories.pets, { petLimit, maxPets }, 1);
    await repositories.categories.record(body.categoryId);
    const pet = await repositories.pets.insert(body);

    const shown = toPetBody(pet);
    await repositories.events.append({ type: 'pet.created', object: shown, petId: pet.id });
    return { body: shown, version: pet.version, location: `/pets/${pet.id}` };
  },
);

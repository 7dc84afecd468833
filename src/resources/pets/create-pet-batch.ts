import { writes } from '../../kernel/operation.ts';
import type { MaybePromise } from '../../kernel/runtime.ts';
import { type PetRepositories, refuseFullStore } from './create-pet.ts';
import { type PetLimits, toPetBody } from './pet.ts';
import { createPetBatchContract } from './pets.contracts.ts';
import type { NewPet } from './pets.repository.ts';

type Repositories = PetRepositories & { pause(): MaybePromise<void> };

/** Number of pets to add before other requests get a turn (about 1 ms of work). */
const PETS_PER_TURN = 50;

/** @internal */
export const addPets = async ({ pets, categories, events }: PetRepositories, given: readonly NewPet[]) => {
  await categories.recordMany(new Set(given.map(({ categoryId }) => categoryId)));
  const added = await pets.insertMany(given);
  const shown = added.map((pet) => ({ body: toPetBody(pet), petId: pet.id }));
  await events.appendMany(shown.map(({ body, petId }) => ({ type: 'pet.created', object: body, petId })));
  return shown.map(({ body }) => body);
};

export const createPetBatch = writes(
  createPetBatchContract,
  async (repositories: Repositories, { body: { pets } }, { petLimit }, { maxPets }: Pick<PetLimits, 'maxPets'>) => {
    await refuseFullStore(repositories.pets, { petLimit, maxPets }, pets.length);
    const added: Awaited<ReturnType<typeof addPets>> = [];
    for (let at = 0; at < pets.length; at += PETS_PER_TURN) {
      if (at > 0) await repositories.pause();
      added.push(...(await addPets(repositories, pets.slice(at, at + PETS_PER_TURN))));
    }
    return { body: added };
  },
);

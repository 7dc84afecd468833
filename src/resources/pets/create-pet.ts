import { Failure } from '../../kernel/failure.ts';
import { type EventLog, writes } from '../../kernel/operation.ts';
import type { MaybePromise } from '../../kernel/runtime.ts';
import { formatCount } from '../../kernel/schema.ts';
import type { CategoryRepository } from '../categories/categories.repository.ts';
import { type PetLimits, petLimitOf, toPetBody } from './pet.ts';
import { createPetBatchContract, createPetContract } from './pets.contracts.ts';
import type { NewPet, PetRepository } from './pets.repository.ts';

export type PetRepositories = { pets: PetRepository; categories: CategoryRepository; events: EventLog };

type Deps = Pick<PetLimits, 'maxPets'>;

const refuseFullStore = async (pets: PetRepository, limits: PetLimits, more: number): Promise<void> => {
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
  async (repositories: PetRepositories, { body }, { petLimit }, { maxPets }: Deps) => {
    await refuseFullStore(repositories.pets, { petLimit, maxPets }, 1);
    await repositories.categories.record(body.categoryId);
    const pet = await repositories.pets.insert(body);

    const shown = toPetBody(pet);
    await repositories.events.append({ type: 'pet.created', object: shown, petId: pet.id });
    return { body: shown, version: pet.version, location: `/pets/${pet.id}` };
  },
);

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

type BatchRepositories = PetRepositories & { pause(): MaybePromise<void> };

export const createPetBatch = writes(
  createPetBatchContract,
  async (repositories: BatchRepositories, { body: { pets } }, { petLimit }, { maxPets }: Deps) => {
    await refuseFullStore(repositories.pets, { petLimit, maxPets }, pets.length);
    const added: Awaited<ReturnType<typeof addPets>> = [];
    for (let at = 0; at < pets.length; at += PETS_PER_TURN) {
      if (at > 0) await repositories.pause();
      added.push(...(await addPets(repositories, pets.slice(at, at + PETS_PER_TURN))));
    }
    return { body: added };
  },
);

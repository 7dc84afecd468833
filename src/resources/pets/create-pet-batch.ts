import type { MaybePromise } from '../../kernel/maybe-promise.ts';
import { writes } from '../../kernel/operation.ts';
import { type AddedTo, addPets } from './add-pets.ts';
import { refuseFullStore } from './pet-limit.ts';
import { createPetBatchContract } from './pets.contracts.ts';

type Repositories = AddedTo & {
  /** Lets others read before it goes on. */
  pause(): MaybePromise<void>;
};

type Deps = { mostPets?: number | undefined };

/** Animals added without a pause (about a millisecond, in which no other caller is served). */
const AT_ONCE = 50;

export const createPetBatch = writes(
  createPetBatchContract,
  async (repositories: Repositories, { body: { pets } }, { petLimit }, { mostPets }: Deps) => {
    await refuseFullStore(repositories.pets, { petLimit, mostPets }, pets.length);
    const added: Awaited<ReturnType<typeof addPets>> = [];
    for (let at = 0; at < pets.length; at += AT_ONCE) {
      if (at > 0) await repositories.pause();
      added.push(...(await addPets(repositories, pets.slice(at, at + AT_ONCE))));
    }
    return { body: added };
  },
);

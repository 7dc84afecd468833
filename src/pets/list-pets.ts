import { chain } from '../kernel/maybe-promise.ts';
import { reads } from '../kernel/operation.ts';
import { answerPage } from '../kernel/page.ts';
import { listPetsContract } from './list-pets.contract.ts';
import { toPetBody } from './pet.ts';
import type { PetReads } from './pets.repository.ts';

export const listPets = reads(listPetsContract, (repositories: { pets: PetReads }, { query, page }) =>
  chain(repositories.pets.list(query, { ...page, limit: page.limit + 1 }), (pets) => {
    const answer = answerPage(pets, page, { body: toPetBody, position: (pet) => String(pet.id) });
    const only = query.ids?.length === 1 ? pets[0] : undefined;
    return only ? { ...answer, version: only.version } : answer;
  }),
);

import { reads } from '../kernel/operation.ts';
import { answerPage } from '../kernel/page.ts';
import { upon } from '../kernel/soon.ts';
import { listPetsContract } from './list-pets.contract.ts';
import { toPetBody } from './pet.ts';
import type { PetReads } from './pets.store.ts';

export const listPets = reads(listPetsContract, (stores: { pets: PetReads }, { query, page }) =>
  upon(stores.pets.list(query, { ...page, limit: page.limit + 1 }), (pets) => {
    const answer = answerPage(pets, page, { body: toPetBody, position: (pet) => String(pet.id) });
    const only = query.ids?.length === 1 ? pets[0] : undefined;
    return only ? { ...answer, version: only.version } : answer;
  }),
);

import { reads } from '../kernel/operation.ts';
import { answerPage } from '../kernel/page.ts';
import { findPet, type PetReads } from '../pets/pets.repository.ts';
import type { EventReads } from './events.repository.ts';
import { toHistoryEntryBody } from './history.ts';
import { listPetHistoryContract } from './list-pet-history.contract.ts';

type Repositories = { events: EventReads; pets: PetReads };

export const listPetHistory = reads(listPetHistoryContract, async (repositories: Repositories, { path, page }) => {
  const events = await repositories.events.listOfPet(path.petId, { ...page, limit: page.limit + 1 });
  // Events are not kept for ever; an animal without any must at least exist.
  if (events.length === 0 && page.after === undefined) await findPet(repositories.pets, path.petId);
  return answerPage(events, page, { body: toHistoryEntryBody, position: ({ sequence }) => String(sequence) });
});

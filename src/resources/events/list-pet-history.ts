import { reads } from '../../kernel/operation.ts';
import { answerPage } from '../../kernel/page.ts';
import { findPet, type PetReads } from '../pets/pets.repository.ts';
import { listPetHistoryContract } from './events.contracts.ts';
import type { EventReads } from './events.repository.ts';
import { toHistoryEntryBody } from './history.ts';

type Repositories = { events: EventReads; pets: PetReads };

/** Events expire, so a pet may exist even if it has no events. */
const refuseUnknown = async ({ events, pets }: Repositories, petId: bigint): Promise<void> => {
  const known = await events.listOfPet(petId, { limit: 1, order: 'asc' });
  if (known.length === 0) await findPet(pets, petId);
};

export const listPetHistory = reads(listPetHistoryContract, async (repositories: Repositories, { path, page }) => {
  const events = await repositories.events.listOfPet(path.petId, { ...page, limit: page.limit + 1 });
  if (events.length === 0) await refuseUnknown(repositories, path.petId);
  return answerPage(events, page, { body: toHistoryEntryBody, position: ({ sequence }) => String(sequence) });
});

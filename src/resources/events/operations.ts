import { faulty, orNotFound } from '../../kernel/failure.ts';
import { reads } from '../../kernel/operation.ts';
import { answerPage } from '../../kernel/page.ts';
import { findPet, type PetReads } from '../pets/pets.repository.ts';
import { formatAuditPosition, toAuditEntryBody } from './audit.ts';
import { countEvents } from './count-events.ts';
import { toEventBody } from './event.body.ts';
import { getEventContract, listAuditContract, listEventsContract, listPetHistoryContract } from './events.contracts.ts';
import type { EventReads } from './events.repository.ts';
import { toHistoryEntryBody } from './history.ts';
import { streamEvents } from './stream-events.ts';

type Reads = { events: EventReads };

const position = ({ sequence }: { sequence: bigint }): string => String(sequence);

/** Events expire, so a pet may exist even if it has no events. */
const refuseUnknown = async ({ events, pets }: Reads & { pets: PetReads }, petId: bigint): Promise<void> => {
  const known = await events.listOfPet(petId, { limit: 1, order: 'asc' });
  if (known.length === 0) await findPet(pets, petId);
};

const listPetHistory = reads(
  listPetHistoryContract,
  async (repositories: Reads & { pets: PetReads }, { path: { petId }, page }) => {
    const events = await repositories.events.listOfPet(petId, { ...page, limit: page.limit + 1 });
    if (events.length === 0) await refuseUnknown(repositories, petId);
    return answerPage(events, page, { body: toHistoryEntryBody, position });
  },
);

const listEvents = reads(listEventsContract, async ({ events }: Reads, { query, page }, { scopes }) => {
  const { petId, orderId, keyId } = query;
  if (petId !== undefined && keyId !== undefined && orderId === undefined) {
    // No index covers both filters, so a search could read all events about the pet or all events caused by the key.
    throw faulty('invalid_parameter', {
      parameter: 'keyId',
      detail: 'cannot be combined with `petId`; omit one of them',
    });
  }
  const filter = { ...query, withOperators: scopes.includes('keys:write') };
  const rows = await events.list(filter, { ...page, limit: page.limit + 1 });
  return answerPage(rows, page, { body: toEventBody, position });
});

const getEvent = reads(getEventContract, async ({ events }: Reads, { path: { sequence } }, { scopes }) => {
  const event = await events.find(sequence, { withOperators: scopes.includes('keys:write') });
  return { body: toEventBody(orNotFound(event, 'event', sequence)) };
});

const listAudit = reads(listAuditContract, async ({ events }: Reads, { page }, { scopes }) => {
  const rows = await events.listAudited({ ...page, limit: page.limit + 1 });
  const showsUrls = scopes.includes('keys:write');
  return answerPage(rows, page, { body: (event) => toAuditEntryBody(event, showsUrls), position: formatAuditPosition });
});

export const eventOperations = [listPetHistory, listEvents, countEvents, streamEvents, getEvent, listAudit];

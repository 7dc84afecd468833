import { orNotFound } from '../../kernel/failure.ts';
import { reads } from '../../kernel/operation.ts';
import { answerPage } from '../../kernel/page.ts';
import { formatAuditPosition, toAuditEntryBody } from './audit.ts';
import { countEvents } from './count-events.ts';
import { toEventBody } from './event.body.ts';
import { getEventContract, listAuditContract } from './events.contracts.ts';
import type { EventReads } from './events.repository.ts';
import { listEvents } from './list-events.ts';
import { listPetHistory } from './list-pet-history.ts';
import { streamEvents } from './stream-events.ts';

type Reads = { events: EventReads };

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

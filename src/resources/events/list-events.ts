import { faulty, orNotFound } from '../../kernel/failure.ts';
import { reads } from '../../kernel/operation.ts';
import { answerPage } from '../../kernel/page.ts';
import { formatAuditPosition, toAuditEntryBody, toMaskedEntryBody } from './audit.ts';
import { toEventBody } from './event.body.ts';
import { getEventContract, listAuditContract, listEventsContract } from './events.contracts.ts';
import type { EventReads } from './events.repository.ts';

export const listEvents = reads(
  listEventsContract,
  async (repositories: { events: EventReads }, { query, page }, call) => {
    const { petId, orderId, keyId } = query;
    if (petId !== undefined && keyId !== undefined && orderId === undefined) {
      // No index covers both filters, so a search could read every event for that pet or key.
      throw faulty('invalid_parameter', {
        parameter: 'keyId',
        detail: 'cannot be combined with `petId`; omit one of them',
      });
    }
    const filter = { ...query, withOperators: call.scopes.includes('keys:write') };
    const events = await repositories.events.list(filter, { ...page, limit: page.limit + 1 });
    return answerPage(events, page, { body: toEventBody, position: ({ sequence }) => String(sequence) });
  },
);

export const getEvent = reads(
  getEventContract,
  async (repositories: { events: EventReads }, { path: { sequence } }, { scopes }) => {
    const event = await repositories.events.find(sequence, { withOperators: scopes.includes('keys:write') });
    return { body: toEventBody(orNotFound(event, 'event', sequence)) };
  },
);

export const listAudit = reads(listAuditContract, async (repositories: { events: EventReads }, { page }, call) => {
  const events = await repositories.events.listAudited({ ...page, limit: page.limit + 1 });
  const body = call.scopes.includes('keys:write') ? toAuditEntryBody : toMaskedEntryBody;
  return answerPage(events, page, { body, position: formatAuditPosition });
});

import { faulty } from '../../kernel/failure.ts';
import { reads } from '../../kernel/operation.ts';
import { answerPage } from '../../kernel/page.ts';
import { toEventBody } from './event.body.ts';
import { listEventsContract } from './events.contracts.ts';
import type { EventReads } from './events.repository.ts';

export const listEvents = reads(
  listEventsContract,
  async (repositories: { events: EventReads }, { query, page }, call) => {
    const { petId, orderId, keyId } = query;
    if (petId !== undefined && keyId !== undefined && orderId === undefined) {
      // No index covers both filters, so a search could read all events about the pet or all events caused by the key.
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

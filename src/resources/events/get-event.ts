import { orNotFound } from '../../kernel/failure.ts';
import { reads } from '../../kernel/operation.ts';
import { toEventBody } from './event.body.ts';
import { getEventContract } from './events.contracts.ts';
import type { EventReads } from './events.repository.ts';

export const getEvent = reads(
  getEventContract,
  async (repositories: { events: EventReads }, { path: { sequence } }, { scopes }) => {
    const event = await repositories.events.find(sequence, { withOperators: scopes.includes('keys:write') });
    return { body: toEventBody(orNotFound(event, 'event', sequence)) };
  },
);

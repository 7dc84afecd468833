import { orNotFound } from '../../kernel/failure.ts';
import { reads } from '../../kernel/operation.ts';
import { toEventBody } from './event.body.ts';
import { OPERATORS_TYPE } from './event.ts';
import { getEventContract } from './events.contracts.ts';
import type { EventReads } from './events.repository.ts';

export const getEvent = reads(
  getEventContract,
  async (repositories: { events: EventReads }, { path: { sequence } }, { scopes }) => {
    const event = await repositories.events.find(sequence);
    const isHidden = event && OPERATORS_TYPE.test(event.type) && !scopes.includes('keys:write');
    return { body: toEventBody(orNotFound(isHidden ? undefined : event, 'event', sequence)) };
  },
);

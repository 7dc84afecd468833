import { contract } from '../../kernel/contract.ts';
import { int64Text } from '../../kernel/int64.ts';
import { listOf } from '../../kernel/schema.ts';
import { eventBody } from './event.body.ts';
import { eventType } from './event.ts';

export const listEventsContract = contract({
  id: 'listEvents',
  method: 'GET',
  path: '/events',
  command: 'events list',
  tag: 'Events',
  summary: 'List events',
  description:
    'Returns what has happened in the store, in its order, by pages. Changes of keys and webhooks are seen with ' +
    '`keys:write` only.',
  scope: 'events:read',
  input: { query: { type: eventType.optional().meta({ description: 'Only events of this type.' }) } },
  paged: int64Text,
  answer: {
    status: 200,
    description: 'A page of events',
    body: listOf(eventBody, { id: 'Events', description: 'Events, ordered by sequence.' }),
  },
  stability: 'beta',
});

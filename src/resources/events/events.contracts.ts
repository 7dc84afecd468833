import { z } from 'zod';
import { contract } from '../../kernel/contract.ts';
import { EXAMPLE, exampleOf, int64Text, listOf } from '../../kernel/schema.ts';
import { petIdText } from '../pets/pet.ts';
import { auditEntryBody, auditPosition } from './audit.ts';
import { countQuery, eventCountsBody } from './counts.ts';
import { eventBody } from './event.body.ts';
import { eventType } from './event.ts';
import { historyEntryBody } from './history.ts';

const EVENTS = { tag: 'Events', scope: 'events:read', stability: 'beta' } as const;
const history = listOf(historyEntryBody, 'History', 'Changes to a pet, ordered by sequence number.');
const events = listOf(eventBody, 'Events', 'Events, ordered by sequence number.');

export const listPetHistoryContract = contract('listPetHistory', 'GET', '/pets/{petId}/history', {
  command: 'pets history',
  tag: 'Pets',
  summary: "List a pet's history",
  description:
    'Returns every change to a pet, with its time and the order or key that caused it. Also works for ' +
    'deleted pets.',
  scope: 'pets:read',
  input: { path: { petId: petIdText } },
  paged: int64Text,
  answer: { status: 200, description: 'A page of changes', body: history },
  stability: 'beta',
});

export const listEventsContract = contract('listEvents', 'GET', '/events', {
  ...EVENTS,
  command: 'events list',
  summary: 'List events',
  description:
    "Returns the store's events, ordered by sequence number. Filters can be combined, except `petId` with `keyId`. Events " +
    'about keys and webhooks are visible only with `keys:write`.',
  input: {
    query: {
      type: eventType.optional().describe('Only events of this type.'),
      petId: int64Text
        .optional()
        .meta({ description: 'Only events about this pet and its orders.', examples: [EXAMPLE.petId] }),
      orderId: int64Text.optional().meta({
        description: 'Only events about this order, including the resulting changes to its pet.',
        examples: [EXAMPLE.orderId],
      }),
      keyId: z
        .string()
        .regex(/^key_\w{1,60}$/, 'must be the identifier of a key, which starts with key_')
        .optional()
        .meta({ description: 'Only changes made by this key.', examples: [EXAMPLE.keyId] }),
    },
  },
  paged: int64Text,
  answer: { status: 200, description: 'A page of events', body: events },
});

export const countEventsContract = contract('countEvents', 'GET', '/events/counts', {
  ...EVENTS,
  command: 'events count',
  summary: 'Count events',
  description:
    'Returns the number of events by type and hour or day (UTC). Counts only events that are still stored and that the ' +
    'key may read: order events require `orders:read`, and key and webhook events require `keys:write`. The ' +
    'response has at most 1,000 periods.',
  scope: 'pets:read',
  input: { query: countQuery },
  answer: { status: 200, description: 'The counts', body: eventCountsBody },
});

const EXAMPLE_STREAM = `: hello

id: 1
event: pet.created
data: ${JSON.stringify(exampleOf(eventBody))}

`;

export const streamEventsContract = contract('streamEvents', 'GET', '/events/stream', {
  ...EVENTS,
  command: 'events stream',
  summary: 'Stream events',
  description:
    'Sends every new event in the store as a server-sent event: `id` is its sequence number, `event` its type and `data` the ' +
    "event. A comment line arrives immediately and then every 15 seconds. `Last-Event-ID` (an event's sequence number or id) " +
    'resumes after that event, without a gap. Without `Last-Event-ID`, the stream starts with the next event. A stream ends after ' +
    'an hour, with a `retry:` line. It also ends when the key expires or is changed, revoked or banned, or when the ' +
    'client reads nothing for 30 seconds. Reconnect with `Last-Event-ID`. A stream costs one request, plus one for ' +
    'every 1,000 past events it sends. If these requests use up the rate limit, the stream ends with a `retry:` line. Open ' +
    "streams per key: free 2, pro 10, business 50, enterprise 500. The browser's `EventSource` cannot send a key, so use " +
    '`fetch`, as the `petstore-client` package does.',
  stream: true,
  answer: {
    status: 200,
    description: 'An endless stream of events',
    body: z.string().meta({
      id: 'EventStream',
      description: 'Server-sent events whose `data` is an Event.',
      examples: [EXAMPLE_STREAM],
    }),
  },
  failures: ['too_many_streams'],
});

export const getEventContract = contract('getEvent', 'GET', '/events/{sequence}', {
  ...EVENTS,
  command: 'events get',
  summary: 'Get an event',
  description:
    'Returns one event by its sequence number. Events about keys and webhooks are visible only with `keys:write`.',
  input: { path: { sequence: int64Text.meta({ description: 'The sequence number of the event.', examples: [1] }) } },
  answer: { status: 200, description: 'The event', body: eventBody },
});

const auditTrail = listOf(auditEntryBody, 'Audit', 'Changes to keys and webhooks.');

export const listAuditContract = contract('listAudit', 'GET', '/audit', {
  command: 'audit list',
  tag: 'Audit',
  summary: 'List the audit trail',
  description:
    'Returns every change to a key or webhook in any store, by time, with the key and address it came from. ' +
    'Webhook URLs are visible only with `keys:write`.',
  scope: 'ops:read',
  paged: auditPosition,
  answer: { status: 200, description: 'A page of the audit trail', body: auditTrail },
  stability: 'beta',
});

import { z } from 'zod';
import { contract } from '../kernel/contract.ts';

export const streamEventsContract = contract({
  id: 'streamEvents',
  method: 'GET',
  path: '/events/stream',
  command: 'events stream',
  tag: 'Events',
  summary: 'Follow events',
  description:
    'Sends every event of the store as it happens (server-sent events): `id` is its sequence, `event` its type, `data` the ' +
    'event. A comment comes at once and then every 15 seconds. `Last-Event-ID` goes on behind that event, without a gap; ' +
    'without it the stream starts with the next event. It ends when the key is changed, revoked or banned, or ' +
    'expires, and costs one request.',
  scope: 'events:read',
  input: {},
  stream: true,
  answer: {
    status: 200,
    description: 'Events, without an end',
    body: z.string().meta({ id: 'EventStream', description: 'Server-sent events whose `data` is an Event.' }),
  },
  stability: 'beta',
});

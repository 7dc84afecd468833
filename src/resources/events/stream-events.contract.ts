import { z } from 'zod';
import { contract } from '../../kernel/contract.ts';
import { exampleOf } from '../../kernel/schema.ts';
import { eventBody } from './event.body.ts';

const EXAMPLE_STREAM = `: hello

id: 1
event: pet.created
data: ${JSON.stringify(exampleOf(eventBody))}

`;

export const streamEventsContract = contract({
  id: 'streamEvents',
  method: 'GET',
  path: '/events/stream',
  command: 'events stream',
  tag: 'Events',
  summary: 'Stream events',
  description:
    'Sends every event of the store as it happens (server-sent events): `id` is its sequence, `event` its type, `data` the ' +
    'event. A comment comes at once and then every 15 seconds. `Last-Event-ID`, a sequence or the id of an event, goes on ' +
    'behind that event, without a gap; without it the stream starts with the next event. A stream ends after an hour with ' +
    'a `retry:` line, when the key is changed, revoked or banned, or expires, and when nothing is taken for 30 seconds; come ' +
    'back with `Last-Event-ID`. It costs one request, and one more for every 1,000 past events it sends: when the requests ' +
    'are used up it ends with a `retry:` line. Open streams per key: free 2, pro 10, business 50, enterprise 500. ' +
    'Browsers’ `EventSource` cannot send a key: use `fetch`, as the package `petstore-client` does.',
  scope: 'events:read',
  input: {},
  stream: true,
  answer: {
    status: 200,
    description: 'Events, without an end',
    body: z.string().meta({
      id: 'EventStream',
      description: 'Server-sent events whose `data` is an Event.',
      examples: [EXAMPLE_STREAM],
    }),
  },
  failures: ['too_many_streams'],
  stability: 'beta',
});

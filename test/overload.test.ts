import { afterEach, beforeEach, expect, test } from 'bun:test';
import { expectError, expectSharedHeaders } from './expect-answer.ts';
import { holdWrites } from './hold-writes.ts';
import { inTime } from './in-time.ts';
import { type Service, startService } from './service.ts';
import { waitFor } from './wait-for.ts';

/** So long a write waits for another program that holds the database. */
const HELD_MS = 1000;

let service: Service;
beforeEach(async () => {
  service = await startService({ mostWaiting: 5 });
});
afterEach(() => service.stop());

const refuseTheSixth = async () => {
  const key = await service.issueKey({ plan: 'free' });
  const create = () => service.post('/v1/pets', { name: 'Rex', categoryId: 1 }, { key });
  // Who calls is known by then: only the writes wait.
  await service.get('/v1/pets', { key });
  const letGo = await holdWrites(service.place);
  const answers = Promise.all(Array.from({ length: 20 }, create));
  const refused = await waitFor(
    'the queue is full',
    () => service.get('/v1/pets', { key: null }),
    ({ status }) => status !== 401,
  ).finally(letGo);
  expectError(refused, 'unavailable', 503);
  expect(refused.headers.get('retry-after')).toBe('1');
  expectSharedHeaders(refused);

  const statuses = (await answers).map(({ status }) => status);
  expect(statuses.filter((status) => status === 201)).toHaveLength(5);
  expect(statuses.filter((status) => status === 503)).toHaveLength(15);
  expect((await create()).headers.get('x-ratelimit-remaining')).toBe('53');
};

test('more writes than can wait are refused at once, before anything is counted, and the others are served', () =>
  inTime(HELD_MS, refuseTheSixth));

import { afterEach, beforeEach, expect, test } from 'bun:test';
import { expectError, expectProblem, expectSharedHeaders } from './expect-answer.ts';
import { holdWrites } from './hold-writes.ts';
import { type Service, startService, type TestResponse } from './service.ts';
import { waitFor } from './wait-for.ts';

const PLACES = 5;
const SENT = 20;
/**
 * Prevents timeouts. Both a write that times out and a refused write get a 503, but only the write that times out
 * counts against the rate limit.
 */
const environment = { PETSTORE_DATABASE_TIMEOUT_MS: '600000' };

let service: Service;
let refused = 0;
beforeEach(async () => {
  service = await startService({ maxWaiting: PLACES, environment });
});
afterEach(() => service.stop());

const counted = (response: TestResponse): TestResponse => {
  if (response.status === 503) refused += 1;
  return response;
};

const sendMany = async (): Promise<number | undefined> => {
  const key = await service.issueKey({ plan: 'free' });
  const create = async () => counted(await service.post('/v1/pets', { name: 'Rex', categoryId: 1 }, { key }));
  await waitFor(
    'the key is known',
    () => service.get('/v1/pets', { key }),
    ({ status }) => status === 200,
  );
  const releaseWrites = await holdWrites(service.place);
  let answered = 0;
  const answers = Array.from({ length: SENT }, () => create().finally(() => (answered += 1)));
  await waitFor(
    'the rest is refused',
    () => answered,
    (count) => count >= SENT - PLACES,
  );
  const stranger = counted(await service.get('/v1/pets', { key: null }));
  const asProblem = { Accept: 'application/problem+json' };
  const response = counted(await service.get('/v1/pets', { key: null, headers: asProblem }));
  const reader = await service.get('/v1/pets', { key });
  await releaseWrites();
  const statuses = (await Promise.all(answers)).map(({ status }) => status);
  if (stranger.status !== 503 || response.status !== 503) return undefined;

  expect(reader.status).toBe(200);
  expectError(stranger, 'unavailable', 503);
  expectProblem(response, 'unavailable');
  expect(stranger.headers.get('retry-after')).toBe('1');
  expectSharedHeaders(stranger);
  const served = statuses.filter((status) => status === 201).length;
  expect(served).toBeLessThanOrEqual(PLACES);
  expect(statuses.filter((status) => status === 503)).toHaveLength(SENT - served);
  const last = await waitFor('one more write is served', create, ({ status }) => status === 201);
  expect(last.headers.get('x-ratelimit-remaining')).toBe(`${60 - 2 - served - 1}`);
  return served;
};

test('writes beyond the queue limit are refused immediately and uncounted; queued writes and reads are served', async () => {
  await waitFor('as many writes are served as the queue holds', sendMany, (served) => served === PLACES);
  expect((await service.get('/metrics')).text).toContain(`petstore_sheds_total ${refused}\n`);
});

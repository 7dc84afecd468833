import { expect, test } from 'bun:test';
import { expectError, expectSharedHeaders } from './expect-answer.ts';
import { holdWrites } from './hold-writes.ts';
import { until } from './program.ts';
import { startService } from './service.ts';

test('more writes than can wait are refused at once, before anything is counted, and the others are served', async () => {
  const service = await startService({ mostWaiting: 5 });
  const key = await service.issueKey({ plan: 'free' });
  const create = () => service.post('/v1/pets', { name: 'Rex', categoryId: 1 }, { key });
  // Who calls is known by then: only the writes wait.
  await service.get('/v1/pets', { key });
  const letGo = await holdWrites(service.place);
  const answers = Promise.all(Array.from({ length: 20 }, create));
  const refused = await until('the queue is full', async () => {
    const told = await service.get('/v1/pets', { key: null });
    return told.status === 401 ? undefined : told;
  });
  expectError(refused, 'unavailable', 503);
  expect(refused.headers.get('retry-after')).toBe('1');
  expectSharedHeaders(refused);
  await letGo();

  const statuses = (await answers).map(({ status }) => status);
  expect(statuses.filter((status) => status === 201)).toHaveLength(5);
  expect(statuses.filter((status) => status === 503)).toHaveLength(15);
  expect((await create()).headers.get('x-ratelimit-remaining')).toBe('53');
  await service.stop();
});

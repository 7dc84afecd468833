import { afterAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { readRows } from './database.ts';
import { inTime } from './in-time.ts';
import { createWorkbench } from './program.ts';
import { waitFor } from './wait-for.ts';

const bench = createWorkbench();
afterAll(bench.clear);

const ADMIN_KEY = 'an-admin-key-of-the-operator';

const startOn = async (directory: string) => {
  const program = bench.start({ directory, environment: { PETSTORE_ADMIN_KEY: ADMIN_KEY } });
  const origin = await program.origin();
  const call = async (path: string, key = ADMIN_KEY, body?: object) => {
    const answer = await fetch(`${origin}/v1${path}`, {
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
    });
    return { status: answer.status, body: (await answer.json()) as any };
  };
  return { program, call };
};

const total = (hours: { byStatus: Record<string, number> }[], status: number): number =>
  hours.reduce((sum, { byStatus }) => sum + (byStatus[status] ?? 0), 0);

/**
 * The result is valid only if the rate limit window, which lasts a minute, does not end during the run. Otherwise,
 * `inTime` calls this function again.
 */
const countAndKill = async () => {
  const directory = bench.directory();
  const { program, call } = await startOn(directory);
  const { id, key } = (await call('/keys', ADMIN_KEY, { name: 'x', plan: 'pro' })).body;
  const ask = async (requests: number) => {
    for (let sent = 0; sent < requests; sent += 1) expect((await call('/pets/1', key)).status).toBe(404);
  };
  await ask(20);
  const path = join(directory, 'data', 'petstore.db');
  const stored = async () =>
    (await readRows(path, 'SELECT sum(count) AS n FROM usage WHERE key_id = ?', id))[0].n === 20;
  await waitFor('the statistics are on disk', stored);
  await ask(10);
  program.signal('SIGKILL');
  await program.ended();

  const again = await startOn(directory);
  const { hours, minute } = (await again.call(`/keys/${id}/usage`)).body;
  const kept = total(hours, 404);
  expect(kept).toBeGreaterThanOrEqual(20);
  expect(kept).toBeLessThanOrEqual(30);
  expect(minute.used).toBeGreaterThanOrEqual(20);
  expect(minute.used).toBeLessThanOrEqual(30);
  const [{ keys }] = (await again.call('/deprecations')).body;
  expect(keys).toEqual([{ keyId: id, calls: kept, lastCalledAt: expect.any(String) }]);
  expect((await again.call(`/keys/${id}`)).body.lastUsedAt).toBe(keys[0].lastCalledAt);
};
test('a kill loses only statistics that were not yet on disk, and counts none twice', () =>
  inTime(60_000, countAndKill));

const banAndKill = async () => {
  const directory = bench.directory();
  const { program, call } = await startOn(directory);
  const limits = { perMinute: 1, perDay: 100 };
  const { id, key } = (await call('/keys', ADMIN_KEY, { name: 'x', plan: 'enterprise', limits })).body;
  expect((await call('/pets', key)).status).toBe(200);
  expect((await call('/pets', key)).body.code).toBe('api_key_banned');
  program.signal('SIGKILL');
  await program.ended();

  const again = await startOn(directory);
  expect((await again.call('/pets', key)).body.code).toBe('api_key_banned');
  const { bannedUntil } = (await again.call('/usage', key)).body;
  expect(Date.parse(bannedUntil)).toBeGreaterThan(Date.now());
  const trail = (await again.call('/audit?order=desc&limit=1')).body;
  expect(trail).toMatchObject([{ type: 'key.banned', data: { object: { id, bannedUntil } } }]);
};
test('a kill right after a ban was reported never loses the ban', () => inTime(60_000, banAndKill));

test('a clean shutdown loses no statistics', async () => {
  const directory = bench.directory();
  const { program, call } = await startOn(directory);
  const { id, key } = (await call('/keys', ADMIN_KEY, { name: 'x', plan: 'pro' })).body;
  for (let sent = 0; sent < 15; sent += 1) await call('/pets', key);
  program.signal('SIGTERM');
  expect((await program.ended()).exitCode).toBe(0);
  const again = await startOn(directory);
  expect(total((await again.call(`/keys/${id}/usage`)).body.hours, 200)).toBe(15);
});

import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { readRows } from './database.ts';
import { expectError } from './expect-answer.ts';
import { until } from './program.ts';
import { startWebhookBench, type WebhookBench } from './webhook-bench.ts';

const PENDING = 100_000;

let bench: WebhookBench;
let webhook: { id: string; path: string };
beforeEach(async () => {
  bench = await startWebhookBench();
  webhook = await bench.add();
  await bench.createPet();
  await bench.receiver.until(webhook.path, 1);
  const [delivered] = await bench.quiet(webhook.id);
  const database = new Database(file());
  database.run(
    `WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ?)
     INSERT INTO deliveries (store_id, id, webhook_id, sequence, event_id, attempt, state, next_attempt_at, created_at)
     SELECT store_id, 'dlv_' || printf('%024d', n), webhook_id, sequence, event_id, 1, 'pending', ?, created_at
     FROM deliveries, counted WHERE id = ?`,
    [PENDING, bench.clock() + 60_000, delivered.id],
  );
  database.close();
});
afterEach(() => bench.stop());

const file = () => join(bench.service.directory, 'petstore.db');
const count = async (where: string) =>
  Number((await readRows(file(), `SELECT count(*) AS count FROM deliveries WHERE ${where}`))[0]?.count);
const change = (body: object) => bench.service.call('PATCH', `/v1/webhooks/${webhook.id}`, { body });

/** Runs the workers until it is so; returns the longest that a change of another kind took meanwhile. */
const longestWriteUntil = async (what: string, isSo: () => Promise<boolean>): Promise<number> => {
  let longestMs = 0;
  await bench.service.runWorkers();
  await until(
    what,
    async () => {
      const startedAt = performance.now();
      await bench.createPet();
      longestMs = Math.max(longestMs, performance.now() - startedAt);
      return (await isSo()) || undefined;
    },
    20_000,
  );
  return longestMs;
};

const timed = async <Result>(work: Promise<Result>): Promise<[Result, number]> => {
  const startedAt = performance.now();
  return [await work, performance.now() - startedAt];
};

describe('a webhook with 100,000 deliveries to make', () => {
  test('is removed at once, sends nothing more, and holds up nobody while they are cleared', async () => {
    const [{ status }, tookMs] = await timed(bench.service.call('DELETE', `/v1/webhooks/${webhook.id}`));
    expect(status).toBe(204);
    expect(await count('TRUE')).toBeGreaterThan(PENDING - 1000);
    for (const path of ['', '/deliveries']) {
      expectError(await bench.service.get(`/v1/webhooks/${webhook.id}${path}`), 'not_found', 404);
    }
    expect((await bench.service.get('/v1/webhooks')).body).toEqual([]);
    expectError(await bench.service.call('DELETE', `/v1/webhooks/${webhook.id}`), 'not_found', 404);
    expect(await readRows(file(), 'SELECT secret FROM webhooks')).toEqual([{ secret: '' }]);

    bench.clock.advance(3_600_000);
    const longestMs = await longestWriteUntil('all are removed', async () => (await count('TRUE')) === 0);
    expect(Math.max(tookMs, longestMs)).toBeLessThan(500);
    await until(
      'the row is gone',
      async () => (await readRows(file(), 'SELECT id FROM webhooks')).length === 0 || undefined,
    );
    expect(bench.receiver.arrived).toHaveLength(1);
  }, 30_000);

  test('gives them up bit by bit when it is switched off, and can be enabled once that is done', async () => {
    const [{ status }, tookMs] = await timed(change({ enabled: false }));
    expect(status).toBe(200);
    const refused = await change({ enabled: true });
    expectError(refused, 'invalid_status_transition', 409);
    expect(refused.body.message).toContain('enable it in a moment');

    bench.clock.advance(3_600_000);
    const longestMs = await longestWriteUntil('all are given up', async () => (await count("state = 'pending'")) === 0);
    expect(Math.max(tookMs, longestMs)).toBeLessThan(500);
    await until('it can be enabled', async () => (await change({ enabled: true })).status === 200 || undefined);
    expect(await count("state = 'failed'")).toBeGreaterThanOrEqual(PENDING);
    expect(bench.receiver.arrived).toHaveLength(1);
    await bench.createPet();
    await bench.receiver.until(webhook.path, 2);
  }, 30_000);

  test('goes on being cleared after a restart', async () => {
    await bench.service.call('DELETE', `/v1/webhooks/${webhook.id}`);
    await bench.service.restart();
    await longestWriteUntil('all are removed', async () => (await count('TRUE')) === 0);
  }, 30_000);
});

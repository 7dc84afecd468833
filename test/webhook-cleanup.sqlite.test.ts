import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { readRows } from './database.ts';
import { expectError } from './expect-answer.ts';
import { waitFor } from './wait-for.ts';
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

const writeUntilNone = async (what: string, where: string): Promise<number[]> => {
  const left: number[] = [];
  await bench.service.runJobs();
  await waitFor(what, async () => {
    await bench.createPet();
    left.push(await count(where));
    return left.at(-1) === 0;
  });
  return left;
};

describe('a webhook with 100,000 pending deliveries', () => {
  test('is deleted immediately, sends nothing more, and blocks no writes during cleanup', async () => {
    const { status } = await bench.service.call('DELETE', `/v1/webhooks/${webhook.id}`);
    expect(status).toBe(204);
    expect(await count('TRUE')).toBeGreaterThan(PENDING - 1000);
    for (const path of ['', '/deliveries']) {
      expectError(await bench.service.get(`/v1/webhooks/${webhook.id}${path}`), 'not_found', 404);
    }
    expect((await bench.service.get('/v1/webhooks')).body).toEqual([]);
    expectError(await bench.service.call('DELETE', `/v1/webhooks/${webhook.id}`), 'not_found', 404);
    expect(await readRows(file(), 'SELECT secret FROM webhooks')).toEqual([{ secret: '' }]);

    bench.clock.advance(3_600_000);
    const left = await writeUntilNone('all deliveries are removed', 'TRUE');
    expect(new Set(left).size).toBeGreaterThan(2);
    await waitFor('the row is gone', async () => (await readRows(file(), 'SELECT id FROM webhooks')).length === 0);
    expect(bench.receiver.arrived).toHaveLength(1);
  });

  test('fails them in batches when it is disabled, and can be enabled afterwards', async () => {
    const { status } = await change({ enabled: false });
    expect(status).toBe(200);
    const refused = await change({ enabled: true });
    expectError(refused, 'invalid_status_transition', 409);
    expect(refused.body.message).toContain('Retry in a moment');

    bench.clock.advance(3_600_000);
    const left = await writeUntilNone('all deliveries have failed', "state = 'pending'");
    expect(new Set(left).size).toBeGreaterThan(2);
    await waitFor('the webhook can be enabled', async () => (await change({ enabled: true })).status === 200);
    expect(await count("state = 'failed'")).toBeGreaterThanOrEqual(PENDING);
    expect(bench.receiver.arrived).toHaveLength(1);
    await bench.createPet();
    await bench.receiver.until(webhook.path, 2);
  });

  test('continues its cleanup after a restart', async () => {
    await bench.service.call('DELETE', `/v1/webhooks/${webhook.id}`);
    await bench.service.restart();
    await writeUntilNone('all deliveries are removed', 'TRUE');
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import pg from 'pg';
import { readRows } from './database.ts';
import { inTime } from './in-time.ts';
import { type Instances, startInstances } from './instances.ts';
import { POSTGRES_SERVER } from './postgres-database.ts';
import type { Ask, TestResponse } from './service.ts';
import { waitFor } from './wait-for.ts';

const ANSWERED_MS = 30_000;

const tally = (answers: readonly TestResponse[]): Record<string, number> => {
  const kinds = answers.map(({ status, body }) => (body?.status === status ? `${status} ${body.code}` : `${status}`));
  return Object.fromEntries([...Map.groupBy(kinds, (kind) => kind)].map(([kind, all]) => [kind, all.length]));
};

describe.skipIf(!POSTGRES_SERVER)('two instances on one PostgreSQL database', () => {
  let shared: Instances;
  beforeAll(async () => {
    shared = await startInstances({ count: 2 });
  });
  afterAll(() => shared.stop());

  const askAll = (
    count: number,
    method: string,
    path: string,
    asked: (index: number) => Ask,
  ): Promise<TestResponse[]> =>
    Promise.all(
      Array.from({ length: count }, (_, index) =>
        (shared.instances[index % 2] as Instances['instances'][number]).call(method, path, asked(index)),
      ),
    );
  const addPet = async (): Promise<TestResponse> => {
    const [response] = await askAll(1, 'POST', '/v1/pets', () => ({ body: { name: 'Rex', categoryId: 1 } }));
    return response as TestResponse;
  };
  const ids = (answers: readonly TestResponse[]): number[] => answers.map(({ body }) => body.id);

  test('accept one of 200 concurrent orders for a pet, ten times in a row', async () => {
    for (let round = 0; round < 10; round += 1) {
      const answers = await inTime(ANSWERED_MS, async () => {
        const { body: pet } = await addPet();
        return askAll(200, 'POST', '/v1/store/orders', () => ({ body: { petId: pet.id } }));
      });
      expect(tally(answers)).toEqual({ 201: 1, '409 pet_not_available': 199 });
    }
  });

  test('use at most one connection each to wait for a contended pet, and serve other requests meanwhile', async () => {
    const { body: pet } = await addPet();
    const keeper = new pg.Client(shared.url);
    // Watches through a second connection, because PostgreSQL's activity view does not change within a transaction.
    const watcher = new pg.Client(shared.url);
    await Promise.all([keeper.connect(), watcher.connect()]);
    try {
      await keeper.query('BEGIN');
      await keeper.query('SELECT id FROM pets WHERE id = $1 FOR UPDATE', [pet.id]);
      const seen: number[] = [];
      const look = async () => {
        const waiting = `SELECT pid FROM pg_stat_activity WHERE datname = current_database()
          AND wait_event_type = 'Lock' AND query LIKE '%FROM pets%FOR %UPDATE%'`;
        seen.push((await watcher.query(waiting)).rows.length);
        return seen.at(-1);
      };
      const orders = askAll(200, 'POST', '/v1/store/orders', () => ({ body: { petId: pet.id } })).catch(
        () => undefined,
      );
      await waitFor('an order waits for the pet', look, (count) => count !== 0);
      const others = askAll(20, 'POST', '/v1/pets', () => ({ body: { name: 'Rex', categoryId: 1 } }));
      for (let times = 0; times < 50; times += 1) await look();
      expect(tally(await others)).toEqual({ 201: 20 });
      await keeper.query('ROLLBACK');
      await orders;
      expect(Math.max(...seen)).toBeWithin(1, 3);
    } finally {
      await Promise.all([keeper.end(), watcher.end()]);
    }
  });

  test('accept one of two concurrent changes to the same version', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { body: pet, headers } = await addPet();
      const match = { 'If-Match': headers.get('etag') as string };
      const answers = await askAll(2, 'PATCH', `/v1/pets/${pet.id}`, (index) => ({
        body: { name: `Rex ${index}` },
        headers: match,
      }));
      expect(tally(answers)).toEqual({ 200: 1, '412 precondition_failed': 1 });
    }
  });

  test('run concurrent requests with one idempotency key once; the others get a replay or idempotency_in_progress', async () => {
    for (let round = 0; round < 20; round += 1) {
      const name = `Once ${round}`;
      const ask = { body: { name, categoryId: 1 }, headers: { 'Idempotency-Key': `once-${round}` } };
      const answers = await askAll(10, 'POST', '/v1/pets', () => ask);
      const served = answers.filter(({ status }) => status === 201);
      expect(new Set(ids(served)).size).toBe(1);
      expect(served.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1);
      const refused = answers.filter(({ status }) => status !== 201);
      for (const { status, body } of refused) expect([status, body.code]).toEqual([409, 'idempotency_in_progress']);
      expect(await readRows(shared.url, 'SELECT 1 FROM pets WHERE name = $1', name)).toHaveLength(1);
    }
  });

  test('give every new category a unique ID, the lowest free one', async () => {
    const answers = await askAll(40, 'POST', '/v1/categories', (index) => ({ body: { name: `No. ${index}` } }));
    expect(ids(answers).sort((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, index) => 1000 + index));
  });

  test('never assign an ID twice, and count every pet', async () => {
    const count = async () => Number((await readRows(shared.url, 'SELECT sum(count) AS n FROM inventory'))[0].n);
    const before = await count();
    const answers = await askAll(400, 'POST', '/v1/pets', () => ({ body: { name: 'Rex', categoryId: 7 } }));
    expect(new Set(ids(answers)).size).toBe(400);
    expect(await count()).toBe(before + 400);
    const [{ n }] = await readRows(shared.url, 'SELECT count(*) AS n FROM pets');
    expect(await count()).toBe(n);
  });

  test('serialize concurrent changes to a key, and revoke it once', async () => {
    const { id } = await shared.issueKey();
    const renamed = await askAll(20, 'PATCH', `/v1/keys/${id}`, (index) => ({ body: { name: `Desk ${index}` } }));
    expect(tally(renamed)).toEqual({ 200: 20 });
    const events = await readRows(
      shared.url,
      `SELECT data FROM events WHERE type = 'key.updated' AND data LIKE '%${id}%' ORDER BY sequence`,
    );
    const changes = events.map(({ data }) => JSON.parse(data));
    expect(changes.slice(1).map(({ previous }) => previous.name)).toEqual(
      changes.slice(0, -1).map(({ object }) => object.name),
    );
    expect(tally(await askAll(10, 'DELETE', `/v1/keys/${id}`, () => ({})))).toEqual({ 204: 10 });
    const revoked = `SELECT 1 FROM events WHERE type = 'key.revoked' AND data LIKE '%${id}%'`;
    expect(await readRows(shared.url, revoked)).toHaveLength(1);
  });

  test('cancel an order once, however many cancellations arrive together', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { body: pet } = await addPet();
      const [order] = await askAll(1, 'POST', '/v1/store/orders', () => ({ body: { petId: pet.id } }));
      const answers = await askAll(6, 'POST', `/v1/store/orders/${order?.body.id}/cancel`, () => ({}));
      expect(tally(answers)).toEqual({ 200: 1, '409 invalid_status_transition': 5 });
      const [{ status }] = await readRows(shared.url, `SELECT status FROM pets WHERE id = ${pet.id}`);
      expect(status).toBe('available');
    }
  });
});

test.skipIf(!POSTGRES_SERVER)('an instance waits at its start for another that is creating the admin key', async () => {
  const shared = await startInstances({ count: 0 });
  const other = new pg.Client({ connectionString: shared.url });
  await other.connect();
  await other.query('BEGIN; INSERT INTO stores (id, created_at, last_sequence) VALUES (1, 0, 0)');
  const startedAt = performance.now();
  const starting = shared.start({ PETSTORE_DATABASE_TIMEOUT_MS: '1000' });
  // Makes the instance wait for 3 s. With a timeout of 1 s, the service would retry an ordinary write for only 0.4 s.
  await waitFor('a write would have failed', () => performance.now() - startedAt > 3000);
  await other.query('ROLLBACK; BEGIN');
  await starting;
  await other.query('SELECT 1 FROM keys FOR UPDATE');
  // If the admin key already exists, a starting instance does not lock the key's row.
  const { call } = await shared.start({ PETSTORE_DATABASE_TIMEOUT_MS: '1000' });
  expect((await call('GET', '/v1/pets')).status).toBe(200);
  await other.end();
  await shared.stop();
});

test.skipIf(!POSTGRES_SERVER)(
  'ten instances that start together on an empty database create one schema and one admin key',
  async () => {
    const shared = await startInstances({ count: 10, isEmpty: true });
    const answers = await Promise.all(shared.instances.map(({ call }) => call('GET', '/v1/pets')));
    expect(tally(answers)).toEqual({ 200: 10 });
    expect(await readRows(shared.url, 'SELECT 1 FROM keys')).toHaveLength(1);
    expect(await readRows(shared.url, 'SELECT environment FROM deployment')).toEqual([{ environment: 'production' }]);
    await shared.stop();
  },
);

import { afterAll, beforeAll, describe, expect } from 'bun:test';
import pg from 'pg';
import { type Instance, type Instances, startInstances } from '../test/instances.ts';
import { lacks } from '../test/needs.ts';
import { type Postgres, startPostgres } from '../test/servers/postgres.ts';
import type { TestResponse } from '../test/service.ts';
import { waitFor } from '../test/wait-for.ts';
import { expectServedThrough, PATIENCE_MS, refusedEarly } from './kept.ts';
import { startLoad } from './load.ts';
import { proof } from './proof.ts';

const LONGEST_MS = 5000;
const SHARE_MS = 15_000;
const LIMITS = { plan: 'enterprise', limits: { perMinute: 1_000_000, perDay: 1_000_000 } };

const timed = async (answer: Promise<TestResponse>) => {
  const askedAt = performance.now();
  const { status, body } = await answer;
  return { status, code: body?.code, tookMs: Math.round(performance.now() - askedAt) };
};

describe.skipIf(lacks('PostgreSQL'))('a crowded PostgreSQL', () => {
  let server: Postgres;
  /**
   * PostgreSQL reserves three connections for superusers, so the tests can connect even if the instances use all other
   * connections.
   */
  beforeAll(async () => {
    server = await startPostgres({ settings: { max_connections: '30' } });
  });
  afterAll(() => server?.remove());

  let running: Instances;
  const start = async (count: number) => {
    running = await startInstances({ count, server: server.url });
    return (await running.issueKey(LIMITS)).key;
  };

  proof('a session that locks one pet delays only the requests for that pet', async (tell) => {
    const key = await start(1);
    const [instance] = running.instances as [Instance];
    const { body: pet } = await instance.call('POST', '/v1/pets', { key, body: { name: 'kept', categoryId: 1 } });
    const keeper = new pg.Client(running.url);
    await keeper.connect();
    try {
      await keeper.query('BEGIN');
      await keeper.query('SELECT id FROM pets WHERE id = $1 FOR UPDATE', [pet.id]);
      const load = startLoad({ instances: [instance], key, perSecond: 40 });
      await load.sent(10);
      const orders = await Promise.all(
        Array.from({ length: 40 }, () =>
          timed(instance.call('POST', '/v1/store/orders', { key, body: { petId: pet.id } })),
        ),
      );
      const others = await load.stop();
      expectServedThrough(tell, others);
      expect(refusedEarly(others)).toEqual([]);
      tell.time('longest response to others', Math.max(...others.map(({ tookMs }) => tookMs)), PATIENCE_MS);
      tell.time('longest of 40 requests for the pet:', Math.max(...orders.map(({ tookMs }) => tookMs)), LONGEST_MS);
      expect(new Set(orders.map(({ status, code }) => `${status} ${code}`))).toEqual(new Set(['503 unavailable']));
      await keeper.query('ROLLBACK');
      const order = () => instance.call('POST', '/v1/store/orders', { key, body: { petId: pet.id } });
      expect((await waitFor('it is answered', order, ({ status }) => status !== 503)).status).toBe(201);
    } finally {
      await keeper.end();
      await running.stop();
    }
  });

  proof(
    'four instances that want 80 connections share 30, and an instance gets its share once others no longer need theirs',
    async (tell) => {
      const key = await start(4);
      try {
        const burst = (instances: readonly Instance[], count: number) =>
          Promise.all(
            Array.from({ length: count }, (_, index) => {
              const instance = instances[index % instances.length] as Instance;
              return timed(instance.call('POST', '/v1/pets', { key, body: { name: 'crowd', categoryId: 1 } }));
            }),
          );
        const first = await burst(running.instances, 400);
        const statuses = new Set(first.map(({ status }) => status));
        const served = first.filter(({ status }) => status === 201).length;
        const longestMs = Math.max(...first.map(({ tookMs }) => tookMs));

        await server.restart();
        const [one, two, three, four] = running.instances as [Instance, Instance, Instance, Instance];
        await burst([one, two], 200);
        const startedAt = performance.now();
        for (const instance of [three, four]) {
          await waitFor('it is served', async () => (await burst([instance], 1))[0]?.status === 201);
        }
        tell.figure(`${served} of ${first.length} served, the others refused with 503`);
        tell.time('got its share after', performance.now() - startedAt, SHARE_MS);
        expect([...statuses].filter((status) => status !== 201 && status !== 503)).toEqual([]);
        expect(served).toBeGreaterThan(0);
        tell.time('longest response', longestMs, LONGEST_MS);
      } finally {
        await running.stop();
      }
    },
  );
});

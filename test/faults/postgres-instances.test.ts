import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { type Instance, type Instances, startInstances } from '../instances.ts';
import { lacks } from '../needs.ts';
import { until } from '../program.ts';
import { query } from '../servers/databases.ts';
import { type Postgres, startPostgres } from '../servers/postgres.ts';
import { startProxy } from '../servers/proxy.ts';
import { expectKept } from './kept.ts';
import { startLoad } from './load.ts';

describe.skipIf(lacks('PostgreSQL'))('instances that share a PostgreSQL database', () => {
  let server: Postgres;
  let running: Instances;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterEach(() => running?.stop());
  afterAll(() => server?.remove());

  const rows = (text: string) => query(running.url, text);

  test('all serve when ten start at once on an empty database, which gets one schema and one admin key', async () => {
    const startedAt = performance.now();
    running = await startInstances({ count: 10, server: server.url });
    const startMs = Math.round(performance.now() - startedAt);
    const pets = await Promise.all(
      running.instances.map((instance) => instance.call('POST', '/v1/pets', { body: { name: 'Ten', categoryId: 1 } })),
    );
    expect(pets.map(({ status }) => status)).toEqual(Array(10).fill(201));
    const [{ deployments, admins, secrets, told }] =
      await rows(`SELECT (SELECT count(*) FROM deployment) AS deployments,
      (SELECT count(*) FROM keys WHERE is_admin = 1) AS admins, (SELECT count(*) FROM key_secrets) AS secrets,
      (SELECT count(*) FROM events WHERE type LIKE 'key.%') AS told`);
    console.log(`ten instances start at once: ${JSON.stringify({ startMs, told })}`);
    expect([deployments, admins, secrets, told]).toEqual(['1', '1', '1', '1']);
  }, 60_000);

  test('take over the work of one that is frozen in the middle of transactions, and do nothing twice', async () => {
    const proxy = await startProxy(server.port);
    const environment = { PETSTORE_ORDER_HOLD_SECONDS: '1' };
    try {
      running = await startInstances({
        count: 1,
        server: server.url,
        environment,
        databaseUrl: (url) => url.replace(`:${server.port}/`, `:${proxy.port}/`),
      });
      const [frozen] = running.instances as [Instance];
      const { key } = await running.issueKey({
        plan: 'enterprise',
        limits: { perMinute: 1_000_000, perDay: 1_000_000 },
      });
      const expiring = async () => (await rows("SELECT holder FROM leases WHERE name = 'expire-orders'")).at(0)?.holder;
      const holder = await until('it has the work', expiring);
      const other = await running.start({ DATABASE_URL: running.url });
      const load = startLoad({ instances: [frozen, other], key, perSecond: 40 });
      await until(
        'orders are placed',
        () => load.all.filter(({ kind }) => kind.startsWith('order')).length > 10 || undefined,
      );

      // Far from the database its transactions last long enough to be met while they are open.
      proxy.delay(50);
      const openOnes = `SELECT FROM pg_stat_activity WHERE state = 'idle in transaction' AND datname = current_database()`;
      await until('it has transactions open', async () => {
        frozen.program.signal('SIGSTOP');
        if ((await rows(openOnes)).length > 0) return true;
        frozen.program.signal('SIGCONT');
        return undefined;
      });
      const frozenAt = performance.now();
      await until('the other has taken over', async () => (await expiring()) !== holder || undefined, 9000);
      const takenOverMs = Math.round(performance.now() - frozenAt);
      await until('ten seconds have passed', () => performance.now() - frozenAt > 10_000 || undefined, 12_000);
      frozen.program.signal('SIGCONT');
      await proxy.restore();
      const all = await load.stop();
      const again = await load.insist();
      await until(
        'every hold has ended',
        async () => (await rows("SELECT FROM orders WHERE status = 'placed'")).length === 0 || undefined,
      );
      const seen = { takenOverMs, sent: all.length, ...(await expectKept(running.url, all, again)) };
      console.log(`an instance frozen for 10 s: ${JSON.stringify(seen)}`);
      expect(new Set(all.map(({ status }) => status)).difference(new Set([200, 201, 503]))).toEqual(new Set());
      const [{ orders, expired }] = await rows(`SELECT (SELECT count(*) FROM orders) AS orders,
        (SELECT count(*) FROM events WHERE type = 'order.expired') AS expired`);
      expect(expired).toBe(orders);
      expect(takenOverMs).toBeLessThan(5000);
    } finally {
      await proxy.stop();
    }
  }, 60_000);
});

import { afterAll, afterEach, beforeAll, describe, expect } from 'bun:test';
import { type Instance, type Instances, startInstances } from '../test/instances.ts';
import { lacks } from '../test/needs.ts';
import { PATIENT_MS } from '../test/patience.ts';
import { query } from '../test/servers/databases.ts';
import { type Postgres, startPostgres } from '../test/servers/postgres.ts';
import { startProxy } from '../test/servers/proxy.ts';
import { waitFor } from '../test/wait-for.ts';
import { expectKept } from './kept.ts';
import { startLoad } from './load.ts';
import { LONG, proof } from './proof.ts';

/** Another instance can take over only when the leader's term of 30 s has ended. */
const TAKEN_OVER_MS = 33_000;
const FROZEN_MS = LONG ? 45_000 : 35_000;

describe.skipIf(lacks('PostgreSQL'))('instances that share a PostgreSQL database', () => {
  let server: Postgres;
  let running: Instances;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterEach(() => running?.stop());
  afterAll(() => server?.remove());

  const rows = (text: string) => query(running.url, text);

  proof(
    'ten instances that start together on an empty database all serve requests, with one schema and one admin key',
    async ({ figure }) => {
      const startedAt = performance.now();
      const environment = { PETSTORE_DATABASE_TIMEOUT_MS: String(PATIENT_MS) };
      running = await startInstances({ count: 10, server: server.url, environment });
      const startMs = Math.round(performance.now() - startedAt);
      const pets = await Promise.all(
        running.instances.map((instance) =>
          instance.call('POST', '/v1/pets', { body: { name: 'Ten', categoryId: 1 } }),
        ),
      );
      expect(pets.map(({ status }) => status)).toEqual(Array(10).fill(201));
      const [{ deployments, admins, secrets, seen }] =
        await rows(`SELECT (SELECT count(*) FROM deployment) AS deployments,
      (SELECT count(*) FROM keys WHERE is_admin = 1) AS admins, (SELECT count(*) FROM key_secrets) AS secrets,
      (SELECT count(*) FROM events WHERE type LIKE 'key.%') AS seen`);
      figure(`all ten serve requests after ${startMs} ms`);
      expect([deployments, admins, secrets, seen]).toEqual(['1', '1', '1', '1']);
    },
  );

  proof(
    `an instance is frozen for ${FROZEN_MS / 1000} s during transactions: another takes over its work, and nothing is done twice`,
    async (tell) => {
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
        const leader = async () => (await rows('SELECT leader FROM deployment'))[0].leader ?? undefined;
        const holder = await waitFor('it is the leader', leader);
        const other = await running.start({ DATABASE_URL: running.url });
        const load = startLoad({ instances: [frozen, other], key, perSecond: 40 });
        await waitFor('orders are placed', () => load.all.filter(({ kind }) => kind.startsWith('order')).length > 10);

        proxy.delay(50);
        const openOnes = `SELECT FROM pg_stat_activity WHERE state = 'idle in transaction' AND datname = current_database()`;
        await waitFor('it has transactions open', async () => {
          frozen.program.signal('SIGSTOP');
          const hasOpen = (await rows(openOnes)).length > 0;
          if (!hasOpen) frozen.program.signal('SIGCONT');
          return hasOpen;
        });
        const frozenAt = performance.now();
        await waitFor('the other has taken over', leader, (now) => now !== holder);
        tell.time('work taken over after', performance.now() - frozenAt, TAKEN_OVER_MS);
        await waitFor('it was frozen for long enough', () => performance.now() - frozenAt > FROZEN_MS);
        frozen.program.signal('SIGCONT');
        await proxy.restore();
        const all = await load.stop();
        const again = await load.insist();
        await waitFor(
          'every hold has ended',
          () => rows("SELECT FROM orders WHERE status = 'placed'"),
          (held) => held.length === 0,
        );
        await expectKept(tell, running.url, { all, again });
        expect(new Set(all.map(({ status }) => status)).difference(new Set([200, 201, 503]))).toEqual(new Set());
        const [{ orders, expired }] = await rows(`SELECT (SELECT count(*) FROM orders) AS orders,
        (SELECT count(*) FROM events WHERE type = 'order.expired') AS expired`);
        expect(expired).toBe(orders);
      } finally {
        await proxy.stop();
      }
    },
  );
});

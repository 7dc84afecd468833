import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { type Instance, type Instances, startInstances } from '../test/instances.ts';
import { lacks } from '../test/needs.ts';
import { query } from '../test/servers/databases.ts';
import { type Postgres, startPostgres } from '../test/servers/postgres.ts';
import { startProxy } from '../test/servers/proxy.ts';
import { waitFor } from '../test/wait-for.ts';
import { expectKept, expectServedThrough, PATIENCE_MS, refusedEarly } from './kept.ts';
import { startLoad } from './load.ts';
import { proof } from './proof.ts';

describe.skipIf(lacks('PostgreSQL'))('two instances under load, while the network to PostgreSQL', () => {
  let server: Postgres;
  let proxy: Awaited<ReturnType<typeof startProxy>>;
  let running: Instances;
  let key: string;
  beforeAll(async () => {
    server = await startPostgres();
    proxy = await startProxy(server.port);
    const databaseUrl = (url: string) => url.replace(`:${server.port}/`, `:${proxy.port}/`);
    running = await startInstances({ count: 2, server: server.url, databaseUrl });
    ({ key } = await running.issueKey({ plan: 'enterprise', limits: { perMinute: 1_000_000, perDay: 1_000_000 } }));
  });
  afterAll(async () => {
    await proxy?.restore();
    await running?.stop();
    await proxy?.stop();
    await server?.remove();
  });

  const load = async (perSecond = 40) => {
    const started = startLoad({ instances: running.instances, key, perSecond });
    await started.sent(25);
    return started;
  };

  proof(
    'all packets to and from PostgreSQL are lost: two instances respond in time, and execute each pending request once',
    async (tell) => {
      const { all, refused, served, stop, insist } = await load();
      proxy.blackHole();
      const [first] = running.instances;
      const asked = performance.now();
      const ready = (await first?.call('GET', '/readyz', { key: null }))?.status;
      const readyMs = Math.round(performance.now() - asked);
      const healthy = (await first?.call('GET', '/healthz', { key: null }))?.status;
      expect([ready, healthy]).toEqual([503, 200]);
      // Waits for 20 refusals. By then, the service has also refused the requests that were waiting for a connection.
      await refused(20);
      await proxy.restore();
      const backAt = performance.now();
      await served(backAt);
      await stop();
      expectServedThrough(tell, all, backAt);
      await expectKept(tell, running.url, { all, again: await insist() });
      tell.figure(`not ready after ${readyMs} ms`);
    },
  );

  proof('PostgreSQL is 50 ms away in each direction: two instances keep serving', async (tell) => {
    proxy.delay(50);
    const { all, sent, stop, insist } = await load(30);
    await sent(100);
    await stop();
    await proxy.restore();
    expectServedThrough(tell, all);
    expect(refusedEarly(all)).toEqual([]);
    tell.time('longest response with PostgreSQL far away', Math.max(...all.map(({ tookMs }) => tookMs)), PATIENCE_MS);
    await expectKept(tell, running.url, { all, again: await insist() });
  });

  proof(
    'the connection is cut during a commit: a retry with the same key gets the result of that commit, which happened once',
    async (tell) => {
      const [here, there] = running.instances as [Instance, Instance];
      const asked = (name: string) => ({ key, body: { name, categoryId: 1 }, headers: { 'Idempotency-Key': name } });
      const count = async (name: string) =>
        Number((await query(running.url, 'SELECT count(*) AS n FROM pets WHERE name = $1', [name]))[0].n);
      // This request makes the service cache the key and open its connections, so that the next request sends only its
      // own transaction to PostgreSQL.
      await here.call('POST', '/v1/pets', { key, body: { name: 'before', categoryId: 1 } });
      const cutWithin = async (name: string): Promise<boolean> => {
        proxy.delay(100);
        let isAnswered = false;
        const first = here.call('POST', '/v1/pets', asked(name)).finally(() => {
          isAnswered = true;
        });
        await waitFor('the commit has taken effect', async () => (await count(name)) > 0 || isAnswered);
        await proxy.cut();
        await proxy.restore();
        return (await first).status === 503 && (await count(name)) > 0;
      };
      const name = await waitFor('it is cut within one', async () => {
        const next = crypto.randomUUID();
        return (await cutWithin(next)) ? next : undefined;
      });
      const again = await waitFor(
        'it is answered',
        () => there.call('POST', '/v1/pets', asked(name)),
        ({ status }) => status !== 503,
      );
      expect([again.status, again.headers.get('idempotent-replayed'), await count(name)]).toEqual([201, 'true', 1]);
      tell.figure('executed once, then replayed');
    },
  );
});

import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { type Instance, type Instances, startInstances } from '../test/instances.ts';
import { lacks } from '../test/needs.ts';
import { query } from '../test/servers/databases.ts';
import { type Postgres, startPostgres } from '../test/servers/postgres.ts';
import { startProxy } from '../test/servers/proxy.ts';
import { waitFor } from '../test/wait-for.ts';
import { expectKept, expectServedThrough } from './kept.ts';
import { startLoad } from './load.ts';
import { proof } from './proof.ts';

describe.skipIf(lacks('PostgreSQL'))('two instances under load, while the way to PostgreSQL', () => {
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
    'nothing passes to PostgreSQL and back: two instances answer in time, and do once what was on its way',
    async (tell) => {
      const { all, refused, served, stop, insist } = await load();
      proxy.blackHole();
      const [first] = running.instances;
      const asked = performance.now();
      const ready = (await first?.call('GET', '/readyz', { key: null }))?.status;
      const readyMs = Math.round(performance.now() - asked);
      const healthy = (await first?.call('GET', '/healthz', { key: null }))?.status;
      expect([ready, healthy]).toEqual([503, 200]);
      // By then even those who waited for a connection have been told.
      await refused(20);
      await proxy.restore();
      const backAt = performance.now();
      await served(backAt);
      await stop();
      expectServedThrough(tell, all, backAt);
      await expectKept(tell, running.url, { all, again: await insist() });
      tell.figure(`told not ready after ${readyMs} ms`);
    },
  );

  proof('PostgreSQL is 50 ms away in each direction: two instances serve all the same', async (tell) => {
    proxy.delay(50);
    const { all, sent, stop, insist } = await load(30);
    await sent(100);
    await stop();
    await proxy.restore();
    expect(expectServedThrough(tell, all, performance.now()).refused).toBe(0);
    await expectKept(tell, running.url, { all, again: await insist() });
  });

  proof(
    'the way is cut within a commit: whoever asks again with the same key is told of that commit, done once',
    async (tell) => {
      const [here, there] = running.instances as [Instance, Instance];
      const ask = { key, body: { name: 'cut', categoryId: 1 }, headers: { 'Idempotency-Key': 'cut' } };
      const countCut = async () =>
        Number((await query(running.url, "SELECT count(*) AS n FROM pets WHERE name = 'cut'"))[0].n);
      // Keys are known and connections open: what is sent now is a transaction.
      await here.call('POST', '/v1/pets', { key, body: { name: 'before', categoryId: 1 } });
      proxy.delay(100);
      const first = here.call('POST', '/v1/pets', ask);
      await waitFor('the commit has taken effect', countCut, (count) => count > 0);
      await proxy.cut();
      expect((await first).status).toBe(503);
      await proxy.restore();
      const again = await waitFor(
        'it is answered',
        () => there.call('POST', '/v1/pets', ask),
        ({ status }) => status !== 503,
      );
      expect([again.status, again.headers.get('idempotent-replayed'), await countCut()]).toEqual([201, 'true', 1]);
      tell.figure('done once, told once more');
    },
  );
});

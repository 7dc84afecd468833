import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type Instance, type Instances, startInstances } from '../instances.ts';
import { lacks } from '../needs.ts';
import { until } from '../program.ts';
import { query } from '../servers/databases.ts';
import { type Postgres, startPostgres } from '../servers/postgres.ts';
import { startProxy } from '../servers/proxy.ts';
import { expectKept, expectServedThrough } from './kept.ts';
import { startLoad } from './load.ts';

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
  }, 60_000);
  afterAll(async () => {
    await proxy?.restore();
    await running?.stop();
    await proxy?.stop();
    await server?.remove();
  });

  const load = async (perSecond = 40) => {
    const started = startLoad({ instances: running.instances, key, perSecond });
    await until('the load runs', () => started.all.length > 25 || undefined);
    return started;
  };
  const pass = (ms: number) => {
    const from = performance.now();
    return until('time passes', () => performance.now() - from > ms || undefined, ms + 5000);
  };

  test('swallows everything, answer in time, and do once what was on its way', async () => {
    const { all, stop, insist } = await load();
    proxy.blackHole();
    const [first] = running.instances;
    const asked = performance.now();
    const ready = (await first?.call('GET', '/readyz', { key: null }))?.status;
    const readyMs = Math.round(performance.now() - asked);
    const healthy = (await first?.call('GET', '/healthz', { key: null }))?.status;
    expect([ready, healthy]).toEqual([503, 200]);
    await pass(4500 - readyMs);
    await proxy.restore();
    const backAt = performance.now();
    await pass(2500);
    await stop();
    const seen = {
      ...expectServedThrough(all, backAt),
      ...(await expectKept(running.url, all, await insist())),
      readyMs,
    };
    console.log(`PostgreSQL in a black hole: ${JSON.stringify(seen)}`);
    expect(seen.refused).toBeGreaterThan(0);
  }, 30_000);

  test('takes 50 ms in each direction, serve all the same', async () => {
    proxy.delay(50);
    const { all, stop, insist } = await load(30);
    await pass(3000);
    await stop();
    await proxy.restore();
    const seen = {
      ...expectServedThrough(all, performance.now()),
      ...(await expectKept(running.url, all, await insist())),
    };
    console.log(`PostgreSQL 50 ms away: ${JSON.stringify(seen)}`);
    expect(seen.refused).toBe(0);
  }, 30_000);

  test('is cut within a commit, tell that commit once to whoever asks again with the same key', async () => {
    const [here, there] = running.instances as [Instance, Instance];
    const ask = { key, body: { name: 'cut', categoryId: 1 }, headers: { 'Idempotency-Key': 'cut' } };
    const countCut = async () =>
      Number((await query(running.url, "SELECT count(*) AS n FROM pets WHERE name = 'cut'"))[0].n);
    // Keys are known and connections open: what is sent now is a transaction.
    await here.call('POST', '/v1/pets', { key, body: { name: 'before', categoryId: 1 } });
    proxy.delay(100);
    const first = here.call('POST', '/v1/pets', ask);
    await until('the commit has taken effect', async () => (await countCut()) || undefined);
    await proxy.cut();
    expect((await first).status).toBe(503);
    await proxy.restore();
    const again = await until('it is answered', async () => {
      const told = await there.call('POST', '/v1/pets', ask);
      return told.status === 503 ? undefined : told;
    });
    expect([again.status, again.headers.get('idempotent-replayed'), await countCut()]).toEqual([201, 'true', 1]);
  }, 30_000);
});

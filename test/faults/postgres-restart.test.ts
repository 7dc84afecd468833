import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type Instance, type Instances, startInstances } from '../instances.ts';
import { lacks } from '../needs.ts';
import { until } from '../program.ts';
import { type Postgres, startPostgres } from '../servers/postgres.ts';
import { expectKept, expectServedThrough } from './kept.ts';
import { startLoad } from './load.ts';

describe.skipIf(lacks('PostgreSQL'))('two instances under load, while PostgreSQL', () => {
  let server: Postgres;
  let running: Instances;
  let key: string;
  beforeAll(async () => {
    server = await startPostgres();
    running = await startInstances({ count: 2, server: server.url });
    ({ key } = await running.issueKey({ plan: 'enterprise', limits: { perMinute: 1_000_000, perDay: 1_000_000 } }));
  });
  afterAll(async () => {
    await running?.stop();
    await server?.remove();
  });

  const statusOf = async (instance: Instance, path: string) => (await instance.call('GET', path, { key: null })).status;

  const goThrough = async (what: string, goAway: () => Promise<void>) => {
    const load = startLoad({ instances: running.instances, key, perSecond: 50 });
    await until('the load runs', () => load.all.length > 50 || undefined);
    await goAway();
    const awayAt = load.all.length;
    await until('requests are refused', () => load.all.slice(awayAt).some(({ status }) => status === 503) || undefined);
    for (const instance of running.instances) {
      expect([await statusOf(instance, '/readyz'), await statusOf(instance, '/healthz')]).toEqual([503, 200]);
    }
    await server.restart();
    const backAt = performance.now();
    await until('two seconds and a half have passed', () => performance.now() - backAt > 2500 || undefined);
    const all = await load.stop();
    for (const instance of running.instances) expect(await statusOf(instance, '/readyz')).toBe(200);
    const seen = { ...expectServedThrough(all, backAt), ...(await expectKept(running.url, all, await load.insist())) };
    console.log(`PostgreSQL ${what}: ${JSON.stringify(seen)}`);
    expect(seen.refused).toBeGreaterThan(0);
  };

  test(
    'is killed and started again, lose nothing and do nothing twice',
    () => goThrough('killed', () => server.kill()),
    30_000,
  );

  test(
    'is stopped in order and started again, lose nothing and do nothing twice',
    () => goThrough('stopped in order', () => server.stop('fast')),
    30_000,
  );
});

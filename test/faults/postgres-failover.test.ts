import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type Instances, startInstances } from '../instances.ts';
import { lacks } from '../needs.ts';
import { until } from '../program.ts';
import { query } from '../servers/databases.ts';
import { type Postgres, startPostgres } from '../servers/postgres.ts';
import { startProxy } from '../servers/proxy.ts';
import { freePort } from '../servers/server-process.ts';
import { expectKept, expectServedThrough } from './kept.ts';
import { startLoad } from './load.ts';

describe.skipIf(lacks('PostgreSQL'))('two instances that know a primary and its synchronous standby', () => {
  let primary: Postgres;
  let standby: Postgres;
  /** Leads to a third server, when there is one. */
  let toThird: Awaited<ReturnType<typeof startProxy>>;
  let running: Instances;
  let key: string;
  beforeAll(async () => {
    primary = await startPostgres();
    standby = await primary.startStandby();
    toThird = await startProxy(await freePort());
    const ports = [primary.port, standby.port, toThird.port];
    running = await startInstances({
      count: 2,
      server: primary.url,
      databaseUrl: (url) => url.replace(/127[^/]*/, ports.map((port) => `127.0.0.1:${port}`).join()),
    });
    ({ key } = await running.issueKey({ plan: 'enterprise', limits: { perMinute: 1_000_000, perDay: 1_000_000 } }));
  }, 60_000);
  afterAll(async () => {
    // The database is where it was made no longer.
    await running?.stop().catch(() => undefined);
    await toThird?.stop();
    await standby?.remove();
    await primary?.remove();
  });

  /** The database as that server has it. */
  const on = (server: Postgres) => running.url.replace(`:${primary.port}/`, `:${server.port}/`);
  const petsOn = async (server: Postgres) => Number((await query(on(server), 'SELECT count(*) AS n FROM pets'))[0].n);

  test('lose nothing and do nothing twice when the primary dies and the standby takes its place', async () => {
    const load = startLoad({ instances: running.instances, key, perSecond: 50 });
    await until('the load runs', () => load.all.length > 50 || undefined);
    await primary.kill();
    const killedAt = load.all.length;
    await until(
      'requests are refused',
      () => load.all.slice(killedAt).some(({ status }) => status === 503) || undefined,
    );
    await standby.promote();
    const backAt = performance.now();
    await until('two seconds and a half have passed', () => performance.now() - backAt > 2500 || undefined);
    const all = await load.stop();
    const seen = {
      ...expectServedThrough(all, backAt),
      ...(await expectKept(on(standby), all, await load.insist())),
    };
    console.log(`PostgreSQL failed over: ${JSON.stringify(seen)}`);
    expect(seen.refused).toBeGreaterThan(0);
  }, 30_000);

  test('stay with the new primary when the old one comes back and takes writes', async () => {
    // The worst that an operator can leave: an old primary that waits for no standby and takes all that it is given.
    await primary.restart();
    await query(primary.url, "ALTER SYSTEM SET synchronous_standby_names = ''");
    await query(primary.url, 'SELECT pg_reload_conf()');
    const before = await petsOn(primary);

    const load = startLoad({ instances: running.instances, key, perSecond: 50 });
    await until('the load runs', () => load.all.length > 25 || undefined);
    await standby.restart();
    const backAt = performance.now();
    await until('two seconds and a half have passed', () => performance.now() - backAt > 2500 || undefined);
    const all = await load.stop();
    const seen = {
      ...expectServedThrough(all, backAt),
      ...(await expectKept(on(standby), all, await load.insist())),
      straysGained: (await petsOn(primary)) - before,
    };
    console.log(`the new primary restarted beside the old one: ${JSON.stringify(seen)}`);
    expect(seen.straysGained).toBe(0);
  }, 30_000);

  test('find the new primary also when they start', async () => {
    const late = await running.start();
    const before = await petsOn(standby);
    const told = await late.call('POST', '/v1/pets', { key, body: { name: 'Late', categoryId: 1 } });
    expect([told.status, await petsOn(standby)]).toEqual([201, before + 1]);
  });

  test('leave a primary that still runs for the standby that was promoted, which has all that was acknowledged', async () => {
    const third = await standby.startStandby();
    try {
      toThird.target(third.port);
      const load = startLoad({ instances: running.instances, key, perSecond: 50 });
      await until('the load runs', () => load.all.length > 50 || undefined);
      await third.promote();
      const backAt = performance.now();
      await until('two seconds and a half have passed', () => performance.now() - backAt > 2500 || undefined);
      const all = await load.stop();
      const seen = { ...expectServedThrough(all, backAt), ...(await expectKept(on(third), all, await load.insist())) };
      console.log(`a standby promoted beside a primary that runs: ${JSON.stringify(seen)}`);
    } finally {
      await third.remove();
    }
  }, 30_000);
});

import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { type Instances, startInstances } from '../test/instances.ts';
import { lacks } from '../test/needs.ts';
import { query } from '../test/servers/databases.ts';
import { type Postgres, startPostgres } from '../test/servers/postgres.ts';
import { startProxy } from '../test/servers/proxy.ts';
import { freePort } from '../test/servers/server-process.ts';
import { waitFor } from '../test/wait-for.ts';
import { expectKept, expectServedThrough } from './kept.ts';
import { startLoad } from './load.ts';
import { proof } from './proof.ts';

const GONE_OVER_MS = 2000;

describe.skipIf(lacks('PostgreSQL'))('two instances that know a primary and its synchronous standby', () => {
  let primary: Postgres;
  let standby: Postgres;
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
  });
  afterAll(async () => {
    await running?.stop().catch(() => undefined);
    await toThird?.stop();
    await standby?.remove();
    await primary?.remove();
  });

  const on = (server: Postgres) => running.url.replace(`:${primary.port}/`, `:${server.port}/`);
  const petsOn = async (server: Postgres) => Number((await query(on(server), 'SELECT count(*) AS n FROM pets'))[0].n);

  proof('a primary fails and its standby is promoted: two instances lose nothing and repeat nothing', async (tell) => {
    const load = startLoad({ instances: running.instances, key, perSecond: 50 });
    await load.sent(50);
    await primary.kill();
    await load.refused(1);
    await standby.promote();
    const backAt = performance.now();
    await load.served(backAt);
    const all = await load.stop();
    expect(expectServedThrough(tell, all, backAt).refused).toBeGreaterThan(0);
    await expectKept(tell, on(standby), { all, again: await load.insist() });
  });

  proof('an old primary returns and accepts writes: two instances stay with the new one', async (tell) => {
    await primary.restart();
    await query(primary.url, "ALTER SYSTEM SET synchronous_standby_names = ''");
    await query(primary.url, 'SELECT pg_reload_conf()');
    const before = await petsOn(primary);

    const load = startLoad({ instances: running.instances, key, perSecond: 50 });
    await load.sent(25);
    await standby.restart();
    const backAt = performance.now();
    await load.served(backAt);
    const all = await load.stop();
    expectServedThrough(tell, all, backAt);
    await expectKept(tell, on(standby), { all, again: await load.insist() });
    expect(await petsOn(primary)).toBe(before);
  });

  proof('an instance that starts while the old primary is still running finds the new one', async ({ figure }) => {
    const late = await running.start();
    const before = await petsOn(standby);
    const asked = { key, body: { name: 'Late', categoryId: 1 }, headers: { 'Idempotency-Key': 'late' } };
    const seen = await waitFor(
      'it is answered',
      () => late.call('POST', '/v1/pets', asked),
      ({ status }) => status !== 503,
    );
    expect([seen.status, await petsOn(standby)]).toEqual([201, before + 1]);
    figure('its write is on the new primary');
  });

  proof(
    'a standby is promoted while its primary is still running: it has every acknowledged write, and two instances switch to it',
    async (tell) => {
      const third = await standby.startStandby();
      try {
        toThird.target(third.port);
        const load = startLoad({ instances: running.instances, key, perSecond: 50 });
        await load.sent(50);
        await third.promote();
        const backAt = performance.now();
        await load.served(backAt);
        const all = await load.stop();
        const inVain = all.filter(({ status }) => status === 404);
        tell.figure(`${inVain.length} requests reached the old primary, which lacked newer rows`);
        tell.time('last such request after', Math.max(0, ...inVain.map(({ sentAt }) => sentAt - backAt)), GONE_OVER_MS);
        expectServedThrough(
          tell,
          all.filter((sent) => !inVain.includes(sent)),
          backAt,
        );
        await expectKept(tell, on(third), { all, again: await load.insist() });
      } finally {
        await third.remove();
      }
    },
  );
});

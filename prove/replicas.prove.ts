import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { ADMIN_KEY } from '../test/admin-key.ts';
import { type Instance, type Instances, startInstances } from '../test/instances.ts';
import { lacks } from '../test/needs.ts';
import { query } from '../test/servers/databases.ts';
import { type Postgres, startPostgres } from '../test/servers/postgres.ts';
import { startProxy } from '../test/servers/proxy.ts';
import { type Redis, startRedis } from '../test/servers/redis.ts';
import { waitFor } from '../test/wait-for.ts';
import { LONG, proof, type Tell } from './proof.ts';
import { createSeeded, seedOfRun } from './seeded.ts';

const CALLERS = 16;
const RUN_MS = LONG ? 300_000 : 40_000;
/**
 * The longest pause between a caller's writes, in ms. The standby serves a caller's reads only if the caller's last
 * write was at least a few seconds ago, so some pauses must be longer than a few seconds.
 */
const MOST_IDLE_MS = 9000;
const READ_EVERY_MS = 40;
const LAG_MS = 800;

describe.skipIf(lacks('PostgreSQL') || lacks('Redis'))('two instances with a standby that lags', () => {
  let primary: Postgres;
  let standby: Postgres;
  let redis: Redis;
  let toRedis: Awaited<ReturnType<typeof startProxy>>;
  let running: Instances;
  let instances: [Instance, Instance];
  const random = createSeeded(seedOfRun());
  beforeAll(async () => {
    primary = await startPostgres({ settings: { max_standby_streaming_delay: '0' } });
    standby = await primary.startStandby();
    await query(primary.url, "ALTER SYSTEM SET synchronous_standby_names = ''");
    await query(standby.url, `ALTER SYSTEM SET recovery_min_apply_delay = ${LAG_MS}`);
    for (const { url } of [primary, standby]) await query(url, 'SELECT pg_reload_conf()');
    redis = await startRedis();
    toRedis = await startProxy(redis.port);
    running = await startInstances({ count: 0, server: primary.url });
    const PETSTORE_READ_URL = running.url.replace(`:${primary.port}/`, `:${standby.port}/`);
    instances = [
      await running.start({ PETSTORE_READ_URL, REDIS_URL: `redis://127.0.0.1:${toRedis.port}` }),
      await running.start({ PETSTORE_READ_URL, REDIS_URL: redis.url }),
    ];
  });
  afterAll(async () => {
    await running?.stop().catch(() => undefined);
    await toRedis?.stop();
    await redis?.remove();
    await standby?.remove();
    await primary?.remove();
  });

  const readsOn = async (server: string): Promise<number> => {
    let reads = 0;
    for (const { origin } of instances) {
      const asked = { headers: { Authorization: `Bearer ${ADMIN_KEY}` } };
      const text = await (await fetch(`${origin}/metrics`, asked)).text();
      reads += Number(new RegExp(`petstore_reads_total{server="${server}"} (\\d+)`).exec(text)?.[1] ?? 0);
    }
    return reads;
  };

  let stores = 1;
  /** Each caller has its own store, so that the caller knows what each read must return. */
  const startCaller = async () => {
    stores += 1;
    const limits = { perMinute: 1_000_000, perDay: 1_000_000 };
    const fields = { name: 'proof', plan: 'enterprise', limits, storeId: stores };
    const { key } = (await instances[1].call('POST', '/v1/keys', { body: fields })).body;
    const seen = { writes: 0, reads: 0, stale: 0, failed: 0 };
    let calls = 0;
    const call = async (method: string, path: string, body?: object) => {
      calls += 1;
      const asked = body ? { key, body, headers: { 'Idempotency-Key': `call-${calls}` } } : { key };
      const answer = await waitFor(
        'the request is not refused',
        () => (random.one(instances) as Instance).call(method, path, asked),
        ({ status }) => status !== 503,
      );
      if (answer.status >= 300) seen.failed += 1;
      return answer.status < 300 ? answer.body : undefined;
    };
    const pet = await call('POST', '/v1/pets', { name: 'Pet 0', categoryId: 1 });
    const expected = { name: 'Pet 0', available: 1 };

    const write = async (): Promise<void> => {
      seen.writes += 1;
      const name = `Pet ${seen.writes}`;
      if (await call('PATCH', `/v1/pets/${pet.id}`, { name })) expected.name = name;
      if (await call('POST', '/v1/pets', { name: 'Another', categoryId: 1 })) expected.available += 1;
    };
    const reads = [
      async () => (await call('GET', `/v1/pets/${pet.id}`))?.name === expected.name,
      async () => (await call('GET', `/v1/pets?ids=${pet.id}`))?.[0].name === expected.name,
      async () => (await call('GET', '/v1/store/inventory'))?.available === expected.available,
    ];
    const read = async (): Promise<void> => {
      seen.reads += 1;
      if (!(await random.one(reads)?.())) seen.stale += 1;
    };
    return { seen, write, read };
  };

  const runLoad = async (tell: Tell, disturb: (isOver: () => boolean) => Promise<void>) => {
    const before = { primary: await readsOn('primary'), standby: await readsOn('standby') };
    const endsAt = performance.now() + RUN_MS;
    const isOver = () => performance.now() >= endsAt;
    const callers = await Promise.all(Array.from({ length: CALLERS }, startCaller));
    const use = async ({ write, read }: (typeof callers)[number]): Promise<void> => {
      while (!isOver()) {
        await write();
        const idleUntil = performance.now() + random.below(MOST_IDLE_MS);
        do {
          await read();
          await Bun.sleep(random.below(2 * READ_EVERY_MS));
        } while (performance.now() < idleUntil);
      }
    };
    await Promise.all([disturb(isOver), ...callers.map(use)]);
    const sum = (of: keyof (typeof callers)[number]['seen']) =>
      callers.reduce((total, { seen }) => total + seen[of], 0);
    const onStandby = (await readsOn('standby')) - before.standby;
    const onPrimary = (await readsOn('primary')) - before.primary;
    tell.figure(
      `${sum('stale')} of ${sum('reads')} reads stale, after ${2 * sum('writes')} writes by ${CALLERS} callers`,
    );
    tell.figure(`${Math.round((100 * onStandby) / (onStandby + onPrimary))} % of the reads served by the standby`);
    expect({ stale: sum('stale'), failed: sum('failed') }).toEqual({ stale: 0, failed: 0 });
    const [caller] = callers;
    await waitFor('the standby serves reads', async () => {
      await caller?.read();
      return (await readsOn('standby')) > before.standby;
    });
    expect(caller?.seen.stale).toBe(0);
  };

  proof('callers read their own writes on every instance while replay on the standby is delayed and paused', (tell) =>
    runLoad(tell, async (isOver) => {
      while (!isOver()) {
        await query(standby.url, 'SELECT pg_wal_replay_pause()');
        await Bun.sleep(random.below(4000));
        await query(standby.url, 'SELECT pg_wal_replay_resume()');
        await Bun.sleep(random.below(8000));
      }
    }),
  );

  proof('callers read their own writes on every instance while one instance loses Redis', (tell) =>
    runLoad(tell, async () => {
      await Bun.sleep(RUN_MS / 4);
      await toRedis.cut();
      await Bun.sleep(2000);
      await toRedis.restore();
    }),
  );
});

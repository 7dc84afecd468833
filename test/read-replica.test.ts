import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { readConfig } from '../src/config.ts';
import { diagnoseDatabase } from '../src/storage/maintenance.ts';
import { ADMIN_KEY } from './admin-key.ts';
import { type Instance, type Instances, startInstances } from './instances.ts';
import { lacks } from './needs.ts';
import { openConnection } from './raw-http.ts';
import { query } from './servers/databases.ts';
import { type Postgres, startPostgres } from './servers/postgres.ts';
import { startProxy } from './servers/proxy.ts';
import { type Redis, startRedis } from './servers/redis.ts';
import { freePort } from './servers/server-process.ts';
import { waitFor } from './wait-for.ts';

const LIMITS = { plan: 'enterprise', limits: { perMinute: 1_000_000, perDay: 1_000_000 } };
/** Makes each read of pets on a standby take a minute, so that the test can interrupt the read. */
const SLOW_PETS = `ALTER TABLE pets RENAME TO stored_pets;
  CREATE VIEW pets AS SELECT * FROM stored_pets WHERE NOT pg_is_in_recovery() OR pg_sleep(60) IS NOT NULL`;
const FAST_PETS = 'DROP VIEW pets; ALTER TABLE stored_pets RENAME TO pets';

describe.skipIf(lacks('PostgreSQL') || lacks('Redis'))('two instances with a standby', () => {
  let primary: Postgres;
  let standby: Postgres;
  let redis: Redis;
  let toRedis: Awaited<ReturnType<typeof startProxy>>;
  let running: Instances;
  let here: Instance;
  let there: Instance;
  let key: string;
  let petId: number;
  beforeAll(async () => {
    primary = await startPostgres({ fsync: false, settings: { max_standby_streaming_delay: '0' } });
    standby = await primary.startStandby();
    await query(primary.url, "ALTER SYSTEM SET synchronous_standby_names = ''");
    await query(primary.url, 'SELECT pg_reload_conf()');
    redis = await startRedis();
    toRedis = await startProxy(redis.port);
    running = await startInstances({ count: 0, server: primary.url });
    const settings = { PETSTORE_READ_URL: onStandby(), REDIS_URL: redis.url };
    here = await running.start({ ...settings, REDIS_URL: `redis://127.0.0.1:${toRedis.port}` });
    there = await running.start(settings);
    key = await newKey();
    petId = (await here.call('POST', '/v1/pets', { key, body: { name: 'First', categoryId: 1 } })).body.id;
  });
  afterEach(() => query(standby.url, 'SELECT pg_wal_replay_resume()').catch(() => undefined));
  afterAll(async () => {
    await running?.stop().catch(() => undefined);
    await toRedis?.stop();
    await redis?.remove();
    await standby?.remove();
    await primary?.remove();
  });

  const onStandby = () => running.url.replace(`:${primary.port}/`, `:${standby.port}/`);
  const pause = () => query(standby.url, 'SELECT pg_wal_replay_pause()');
  const resume = () => query(standby.url, 'SELECT pg_wal_replay_resume()');
  const newKey = async (): Promise<string> =>
    (await here.call('POST', '/v1/keys', { body: { name: 'test', storeId: 1, ...LIMITS } })).body.key;
  const metricsOf = async ({ origin }: Instance): Promise<string> =>
    (await fetch(`${origin}/metrics`, { headers: { Authorization: `Bearer ${ADMIN_KEY}` } })).text();
  const readsOn = async (server: string, of = there): Promise<number> => {
    const text = await metricsOf(of);
    return Number(new RegExp(`petstore_reads_total{server="${server}"} (\\d+)`).exec(text)?.[1] ?? 0);
  };
  const nameThere = async (of = key): Promise<string> => {
    const { status, body } = await there.call('GET', `/v1/pets/${petId}`, { key: of });
    expect(status).toBe(200);
    return body.name;
  };
  const rename = (name: string, of = key) => here.call('PATCH', `/v1/pets/${petId}`, { key: of, body: { name } });
  const isServedByStandby = async (path = `/v1/pets/${petId}`, of = key) => {
    const before = await readsOn('standby');
    expect((await there.call('GET', path, { key: of })).status).toBe(200);
    return (await readsOn('standby')) === before + 1;
  };
  const usesStandby = (path?: string, of?: string) =>
    waitFor('the standby serves the read', () => isServedByStandby(path, of));
  const logged = (event: string) => there.program.written.out.split('\n').filter((line) => line.includes(event));

  test('read pets, lists and the inventory from the standby, and everything else from the primary', async () => {
    for (const path of [`/v1/pets/${petId}`, '/v1/pets?status=available', '/v1/store/inventory'])
      await usesStandby(path);
    for (const path of ['/v1/store/orders', '/v1/categories', '/v1/events', '/v1/usage'])
      expect(await isServedByStandby(path, ADMIN_KEY)).toBe(false);
    expect(await metricsOf(there)).toMatch(/petstore_standby_lag_seconds [0-4]\.?\d*\n/);
    expect(logged('standby_usable')).not.toEqual([]);
  });

  test('are diagnosed with a standby, with a server that is not a standby, and with one that is down', async () => {
    const diagnose = async (readUrl: string) => {
      const settings = { DATABASE_URL: running.url, REDIS_URL: redis.url, PETSTORE_READ_URL: readUrl };
      return (await diagnoseDatabase(readConfig(settings))).filter(({ part }) => part === 'standby');
    };
    expect(await diagnose(onStandby())).toMatchObject([{ state: 'ok', found: expect.stringContaining('follows') }]);
    expect(await diagnose(running.url)).toMatchObject([
      { state: 'wrong', found: expect.stringContaining('not a standby') },
    ]);
    const nowhere = running.url.replace(`:${primary.port}/`, `:${await freePort()}/`);
    expect(await diagnose(nowhere)).toMatchObject([
      { state: 'warning', found: expect.stringContaining('the primary serves all reads') },
    ]);
  });

  test('show a caller its own write on the other instance, however far the standby lags', async () => {
    for (const name of ['Second', 'Third']) {
      await usesStandby();
      await pause();
      const outages = logged('standby_unusable').length;
      const before = (await there.call('GET', '/v1/store/inventory', { key })).body.available;
      await rename(name);
      await here.call('POST', '/v1/pets', { key, body: { name, categoryId: 1 } });
      // Keeps reading until the instance stops using the standby, because any read from the standby could be stale.
      for (let isOver = false; !isOver; ) {
        isOver = logged('standby_unusable').length > outages;
        expect(await nameThere()).toBe(name);
        expect((await there.call('GET', `/v1/pets?ids=${petId}`, { key })).body[0].name).toBe(name);
        expect((await there.call('GET', '/v1/store/inventory', { key })).body.available).toBe(before + 1);
      }
      await resume();
    }
  }, 300_000);

  test('show a write that took seconds, such as a slow upload', async () => {
    const reader = await newKey();
    await usesStandby();
    const body = '{"name":"Slow"}';
    const head = [`PATCH /v1/pets/${petId} HTTP/1.1`, 'Host: localhost', `Authorization: Bearer ${key}`];
    const type = ['Content-Type: application/json', `Content-Length: ${body.length}`];
    const connection = openConnection(Number(new URL(here.origin).port));
    const answered = connection.ask([...head, ...type, '', body.slice(0, 5)].join('\r\n'));
    // For a few seconds after a write, the service serves the key's reads only from the primary. This upload takes
    // longer than that period. If the period began at the start of the upload, the standby would serve the read below.
    await Bun.sleep(5000);
    await usesStandby(undefined, reader);
    // An idle instance polls too rarely to use the standby. These reads keep the instance busy, so that the read below
    // cannot go to the primary for that reason.
    let isOver = false;
    const readAll = async (): Promise<void> => {
      while (!isOver) await nameThere(reader);
    };
    const reading = readAll();
    try {
      await pause();
      void connection.ask(body.slice(5)).catch(() => undefined);
      expect((await answered).status).toBe(200);
      expect(await nameThere()).toBe('Slow');
    } finally {
      isOver = true;
      await reading;
      connection.close();
    }
  });

  test('show the writes of others after at most five seconds', async () => {
    const reader = await newKey();
    await usesStandby(undefined, reader);
    await pause();
    await rename('Others');
    await waitFor('the write is visible', async () => (await nameThere(reader)) === 'Others');
    await waitFor('the outage is logged', () => logged('it lags by more than 5 seconds').length > 0);
  });

  test('show a write that went through an instance without Redis', async () => {
    await usesStandby();
    await toRedis.cut();
    try {
      await waitFor('Redis is down for this instance', () => here.program.written.out.includes('redis_away'));
      await pause();
      await rename('Without Redis');
      expect(await nameThere()).toBe('Without Redis');
      expect(await isServedByStandby()).toBe(false);
    } finally {
      await toRedis.restore();
      await waitFor('Redis is back', () => here.program.written.out.includes('redis_back'));
      // Ends the standby's suspension, because the next tests need the standby. Otherwise, the suspension would last
      // another half minute.
      await query(running.url, 'UPDATE deployment SET standby_suspended_until = 0');
    }
  });

  test('answer from the primary if a recovery conflict cancels the read on the standby', async () => {
    await usesStandby();
    await query(running.url, SLOW_PETS);
    const asleep = "SELECT FROM pg_stat_activity WHERE state = 'active' AND wait_event = 'PgSleep'";
    const reads: ReturnType<Instance['call']>[] = [];
    await waitFor('a read runs on the standby', async () => {
      reads.push(there.call('GET', `/v1/pets/${petId}`, { key }));
      return (await query(standby.url, asleep)).length > 0;
    });
    // To replay this statement, the standby needs a lock that conflicts with the running read, so the standby cancels
    // the read.
    await query(running.url, FAST_PETS);
    for (const read of reads) expect((await read).status).toBe(200);
    await waitFor('the conflict is logged', () => logged('due to conflict with recovery').length > 0);
    await usesStandby();
  });

  test('answer from the primary while the standby is down, and start without it', async () => {
    await usesStandby();
    await standby.stop();
    for (let reads = 0; reads < 20; reads += 1) expect(await isServedByStandby()).toBe(false);
    const late = await running.start({ PETSTORE_READ_URL: onStandby(), REDIS_URL: redis.url });
    expect((await late.call('GET', `/v1/pets/${petId}`, { key })).status).toBe(200);
    await waitFor('the outage is logged', () => late.program.written.out.includes('standby_unusable'));
    await standby.restart();
    await usesStandby();
  });

  test('show no older state after the standby has crashed', async () => {
    await rename('Before the crash');
    await usesStandby();
    await standby.kill();
    const restarted = standby.restart();
    await waitFor('the standby serves reads again', async () => {
      expect(await nameThere()).toBe('Before the crash');
      return isServedByStandby();
    });
    await restarted;
  });

  test('read nothing from a standby of another system', async () => {
    const other = await startPostgres({ fsync: false });
    const itsStandby = await other.startStandby();
    try {
      const late = await running.start({ PETSTORE_READ_URL: itsStandby.url, REDIS_URL: redis.url });
      await waitFor('the mistake is logged', () => late.program.written.out.includes('it does not follow the primary'));
    } finally {
      await itsStandby.remove();
      await other.remove();
    }
  });

  test('read nothing from a standby that was promoted', async () => {
    await usesStandby();
    await standby.promote();
    await waitFor('the promotion is noticed', () => logged('it is no longer a standby').length > 0);
    await query(onStandby(), "UPDATE pets SET name = 'Promoted'");
    await rename('Kept');
    for (let reads = 0; reads < 20; reads += 1)
      expect([await nameThere(), await isServedByStandby()]).toEqual(['Kept', false]);
  });
});

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { lacks } from '../../../test/needs.ts';
import {
  answers,
  createRedisLimiters,
  DAY,
  MINUTE,
  newSubject,
  type RedisLimiters,
} from '../../../test/redis-limiters.ts';
import { startProxy } from '../../../test/servers/proxy.ts';
import { type Redis, startRedis } from '../../../test/servers/redis.ts';
import { waitFor } from '../../../test/wait-for.ts';

const TIMEOUT_MS = 5000;
const PATIENT_MS = 600_000;

describe.skipIf(lacks('Redis'))('while Redis is unavailable', () => {
  let redis: Redis;
  let proxy: Awaited<ReturnType<typeof startProxy>>;
  let instances: RedisLimiters;
  beforeEach(async () => {
    redis = await startRedis();
    proxy = await startProxy(redis.port);
    instances = createRedisLimiters();
  });
  afterEach(async () => {
    instances.close();
    await proxy.stop();
    await redis.remove();
  });

  const openWith = (timeoutMs: number) => instances.open(`redis://127.0.0.1:${proxy.port}`, { timeoutMs });
  const open = async (fault?: string) => {
    const limiter = await openWith(fault === 'black-holed' ? TIMEOUT_MS : PATIENT_MS);
    await waitFor('Redis is reached', () => !limiter.isAway());
    // If the machine is overloaded, Redis may have been reported as unreachable at startup, so earlier log lines are
    // discarded.
    instances.logged.length = 0;
    return limiter;
  };
  const isReported = (event: string) => waitFor(event, () => instances.logged.includes(event));

  const faults: [string, { begin(): unknown; end(): Promise<unknown> }][] = [
    ['killed', { begin: () => redis.kill(), end: () => redis.restart() }],
    ['black-holed', { begin: () => proxy.blackHole(), end: () => proxy.restore() }],
    ['cut off', { begin: () => proxy.cut(), end: () => proxy.restore() }],
    ['without memory', { begin: () => setMemory('1'), end: () => setMemory('0') }],
  ];
  const setMemory = (bytes: string) => redis.command('CONFIG', 'SET', 'maxmemory', bytes);

  test('because it does not have the database of REDIS_URL, nothing is counted in database 0', async () => {
    const limiter = await instances.open(`redis://127.0.0.1:${redis.port}/9999`, { timeoutMs: 1000 });
    await limiter.take(newSubject());
    expect(limiter.isAway()).toBe(true);
    expect(instances.logged).toEqual(['redis_away']);
    expect(await redis.command('DBSIZE')).toMatch(/^0\b/);
  });

  test.each(faults)(
    'because it is %s, every request is answered, and each change is logged once',
    async (name, fault) => {
      const limiter = await open(name);
      const subjects = Array.from({ length: 20 }, () => newSubject({ perMinute: 1_000_000 }));
      let isOver = false;
      const callers = subjects.map(async (subject) => {
        while (!isOver) {
          await limiter.take(subject);
          await new Promise(setImmediate);
        }
      });
      await fault.begin();
      await isReported('redis_away');
      await fault.end();
      await isReported('redis_back');
      isOver = true;
      await Promise.all(callers);
      expect(instances.logged).toEqual(['redis_away', 'redis_back']);
    },
  );

  test.each(faults)('because it is %s, the limit continues from the last known counts', async (name, fault) => {
    const limiter = await open(name);
    const of = newSubject({ perMinute: 50 });
    await answers(limiter, of, 20);
    await fault.begin();
    expect(await answers(limiter, of, 40)).toEqual([...Array(30).fill('admitted'), ...Array(10).fill('minute')]);
    expect(instances.logged).toEqual(['redis_away']);
  });

  test('the time of the last write is unknown, and afterwards every key counts as one that wrote during the outage', async () => {
    const limiter = await open();
    const of = newSubject({ perMinute: 1_000_000 });
    const since = async () => (await limiter.take(of)).sinceWriteMs;
    await waitFor('the last write was long ago', since, (ms) => ms !== undefined && ms > 500);
    const cutAt = performance.now();
    await proxy.cut();
    await isReported('redis_away');
    expect([await since(), await limiter.noteWrite(of.id)]).toEqual([undefined, false]);
    await proxy.restore();
    await isReported('redis_back');
    expect(await since()).toBeLessThan(performance.now() - cutAt);
    expect(await limiter.noteWrite(of.id)).toBe(true);
  });

  test('a used-up window stays used up, and a banned subject stays banned', async () => {
    const limiter = await open();
    const [spent, banned] = [newSubject({ perMinute: 2 }), newSubject({ perMinute: 1, refusals: 1 })];
    await answers(limiter, spent, 2);
    expect(await answers(limiter, banned, 2)).toEqual(['admitted', 'ban']);
    await redis.kill();
    await isReported('redis_away');
    expect(await answers(limiter, spent, 1)).toEqual(['minute']);
    expect(await answers(limiter, banned, 1)).toEqual(['ban']);
    expect(limiter.bannedUntil(banned.id)).toBe(instances.bansOf(banned)[0]?.until as number);
  });

  test('a ban from the database applies, and a new one is saved there and sent to Redis when it is back', async () => {
    const [known, begun] = [newSubject(), newSubject({ perMinute: 1, refusals: 1 })];
    const bannedAt = Date.now() - 1000;
    await instances.addBan(known, { bannedAt, until: bannedAt + 10 * MINUTE, forgottenAt: bannedAt + DAY });
    const limiter = await open();
    await redis.kill();
    await isReported('redis_away');
    expect(await answers(limiter, known, 1)).toEqual(['ban']);
    expect(await answers(limiter, begun, 2)).toEqual(['admitted', 'ban']);
    await redis.restart();
    await isReported('redis_back');
    expect(await answers(limiter, begun, 1)).toEqual(['ban']);
    const other = await instances.open(redis.url);
    expect(await answers(other, begun, 1)).toEqual(['ban']);
    expect(instances.bansOf(begun)).toHaveLength(1);
  });

  test('an instance starts, enforces the limit alone, and connects to Redis when it is available', async () => {
    await proxy.cut();
    const limiter = await openWith(TIMEOUT_MS);
    const of = newSubject({ perMinute: 5 });
    expect(await answers(limiter, of, 8)).toEqual([...Array(5).fill('admitted'), ...Array(3).fill('minute')]);
    expect(instances.logged).toEqual(['redis_away']);
    await proxy.restore();
    await isReported('redis_back');
    const other = await instances.open(redis.url);
    await answers(other, of, 3);
    const used = async () => (await limiter.peek(of)).windows[0]?.used;
    await waitFor('it sees what Redis holds', used, (count) => count === 3);
  });
});

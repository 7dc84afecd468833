import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { fileURLToPath } from 'node:url';
import { createTestMachine } from '../../../test/clock.ts';
import { lacks, serverOfRun } from '../../../test/needs.ts';
import {
  answers,
  createRedisLimiters,
  DAY,
  MINUTE,
  newSubject,
  type RedisLimiter,
  type RedisLimiters,
} from '../../../test/redis-limiters.ts';
import { startProxy } from '../../../test/servers/proxy.ts';
import { type Redis, startRedis, startRedisCluster, startRedisSentinel } from '../../../test/servers/redis.ts';
import { connectTimed, timeAhead } from '../../../test/timed-redis.ts';
import { waitFor } from '../../../test/wait-for.ts';

import { limiterSuite } from '../limiter.suite.ts';
import { type Ban, createMonotonicClock, type Subject } from '../window.ts';
import { connectRedis } from './connection.redis.ts';
import { keyOf } from './script.redis.ts';

const suiteOn = (url: () => string) => {
  const machine = createTestMachine(timeAhead());
  const instances = createRedisLimiters();
  afterEach(() => {
    instances.close();
    expect(instances.logged).toEqual([]);
  });
  limiterSuite({
    createLimiter: ({ saveBan }) => {
      const { now: clock } = createMonotonicClock(machine.clock, machine.stopwatch);
      return instances.open(url(), { saveBan, clock, connect: connectTimed(machine.clock) });
    },
    advance: async (ms) => machine.pass(ms),
    setClock: async (byMs) => machine.setClock(byMs),
  });
};

const shared = serverOfRun('TEST_REDIS_URL');
describe.skipIf(!shared)('on a Redis', () => suiteOn(() => shared ?? ''));

describe.skipIf(lacks('Redis'))('on a Redis Cluster', () => {
  let cluster: Awaited<ReturnType<typeof startRedisCluster>>;
  beforeAll(async () => {
    cluster = await startRedisCluster();
  });
  afterAll(() => cluster.remove());
  suiteOn(() => cluster.url);

  test('is reached through addresses other than those it announces for its nodes', async () => {
    const proxies = await Promise.all(cluster.masters.slice(1).map(({ port }) => startProxy(port)));
    const instances = createRedisLimiters();
    const url = proxies.map(({ port }) => `redis://127.0.0.1:${port}`).join(',');
    const limiter = await instances.open(url);
    await waitFor('Redis is reached', () => !limiter.isAway());
    const of = newSubject({ perMinute: 2 });
    await answers(limiter, of, 1);
    const other = await instances.open(cluster.url);
    expect(await answers(other, of, 2)).toEqual(['admitted', 'minute']);
    instances.close();
    await Promise.all(proxies.map((proxy) => proxy.stop()));
  });

  test('is detected through the address of a single node', async () => {
    const instances = createRedisLimiters();
    const of = newSubject({ perMinute: 30 });
    const subjects = [of, ...Array.from({ length: 20 }, () => newSubject({ perMinute: 30 }))];
    const [one, other] = [
      await instances.open(cluster.masters[0]?.url ?? ''),
      await instances.open(cluster.masters[1]?.url ?? ''),
    ];
    for (const subject of subjects) {
      const verdicts = [...(await answers(one, subject, 20)), ...(await answers(other, subject, 20))];
      expect(verdicts.filter((verdict) => verdict === 'admitted')).toHaveLength(30);
    }
    expect(instances.logged).toEqual([]);
    instances.close();
  });

  test('subjects are spread over all masters', async () => {
    const instances = createRedisLimiters();
    const limiter = await instances.open(cluster.url);
    await Promise.all(Array.from({ length: 100 }, () => limiter.take(newSubject())));
    instances.close();
    expect(cluster.masters).toHaveLength(3);
    for (const master of cluster.masters) expect(Number(await master.command('DBSIZE'))).toBeGreaterThan(0);
  });
});

describe.skipIf(lacks('Redis'))('on the master that a Sentinel reports', () => {
  let sentinel: Awaited<ReturnType<typeof startRedisSentinel>>;
  beforeAll(async () => {
    sentinel = await startRedisSentinel();
  });
  afterAll(() => sentinel.remove());
  describe('', () => suiteOn(() => sentinel.url));

  test('follows a failover, and the counts stay', async () => {
    const instances = createRedisLimiters();
    const limiter = await instances.open(sentinel.url);
    const of = newSubject({ perMinute: 3 });
    expect(await answers(limiter, of, 1)).toEqual(['admitted']);
    await waitFor('the replica holds the count', async () => (await sentinel.replica.command('DBSIZE')) !== '0');
    await sentinel.failOver();
    await waitFor('the new master counts', async () => {
      await limiter.take(newSubject());
      return !limiter.isAway() && (await sentinel.replica.command('INFO', 'commandstats')).includes('evalsha');
    });
    expect(await answers(limiter, of, 3)).toEqual(['admitted', 'admitted', 'minute']);
    instances.close();
  });

  test('is not used if it does not have the database of REDIS_URL', async () => {
    const problems: unknown[] = [];
    const log = { warn: (_: string, fields?: object) => problems.push(fields), info: () => undefined };
    const instances = createRedisLimiters();
    await instances.open(`${sentinel.url}/9999`, { log, timeoutMs: 500 });
    expect(problems).toEqual([{ error: expect.stringContaining('DB index is out of range') }]);
    instances.close();
  });

  test('is not used if REDIS_URL names the Sentinel as if it were a Redis', async () => {
    const problems: unknown[] = [];
    const log = { warn: (_: string, fields?: object) => problems.push(fields), info: () => undefined };
    const instances = createRedisLimiters();
    await instances.open(`redis://127.0.0.1:${sentinel.port}`, { log, timeoutMs: 500 });
    expect(problems).toEqual([{ error: expect.stringContaining('use redis+sentinel://') }]);
    instances.close();
  });
});

describe.skipIf(lacks('Redis'))('instances that share a Redis', () => {
  let redis: Redis;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.remove());

  let instances: RedisLimiters;
  let one: RedisLimiter;
  let other: RedisLimiter;
  beforeEach(async () => {
    instances = createRedisLimiters();
    one = await instances.open(redis.url);
    other = await instances.open(redis.url);
  });
  afterEach(() => {
    instances.close();
    expect(instances.logged).toEqual([]);
  });

  test('count a subject together', async () => {
    const of = newSubject({ perMinute: 5 });
    await answers(one, of, 3);
    expect((await other.peek(of)).windows.map(({ used }) => used)).toEqual([3, 3]);
    expect(await answers(other, of, 3)).toEqual(['admitted', 'admitted', 'minute']);
  });

  test('count concurrent requests of a subject in one call', async () => {
    const of = newSubject({ perMinute: 300, refusals: 150 });
    const keys: string[] = [];
    const counted = await instances.open(redis.url, {
      connect: async (...words) => {
        const connection = await connectRedis(...words);
        const run: typeof connection.run = (key, args) => {
          keys.push(key);
          return connection.run(key, args);
        };
        return { ...connection, run };
      },
    });
    await other.take(of);
    const verdicts = await Promise.all(Array.from({ length: 500 }, () => counted.take(of)));
    expect(keys.filter((key) => key === keyOf(of.id))).toHaveLength(1);
    expect(verdicts.filter(({ refused }) => !refused)).toHaveLength(299);
    expect(verdicts.filter(({ refused }) => refused?.by === 'minute')).toHaveLength(149);
    expect(verdicts.filter(({ refused }) => refused?.by === 'ban')).toHaveLength(52);
    expect(verdicts[0]?.windows[0]?.remaining).toBe(298);
  });

  test('decide each of several concurrent calls by the time in its response', async () => {
    const of = newSubject({ perMinute: 250 });
    const turns: Promise<string>[] = [];
    for (let turn = 0; turn < 40; turn += 1) {
      for (let sent = 0; sent < 10; sent += 1) {
        turns.push((async () => (await one.take(of)).refused?.by ?? 'admitted')());
      }
      await new Promise(setImmediate);
    }
    const words = await Promise.all(turns);
    expect(words).toEqual([...Array(250).fill('admitted'), ...Array(150).fill('minute')]);
  });

  test('know how long ago a key wrote on another instance, even if the write came together with reads', async () => {
    const of = newSubject({ perMinute: 1_000_000 });
    const since = async () => (await one.take(of)).sinceWriteMs ?? Number.NaN;
    const write = { ...of, mayWrite: true };
    for (const act of [
      () => Promise.all([other.take(of), other.take(write), other.take(of)]),
      () => other.take(write, 2),
      () => other.noteWrite(of.id),
    ]) {
      await waitFor('the last write was long ago', since, (ms) => ms > 200);
      const actedAt = performance.now();
      await act();
      // Redis rounds its time down to milliseconds, and its clock may differ slightly from the clock of this process.
      expect(await since()).toBeLessThan(performance.now() - actedAt + 50);
    }
  });

  test('show the same end of a window', async () => {
    const of = newSubject();
    const ends = (await one.take(of)).windows.map(({ resetAt }) => resetAt);
    expect((await other.take(of)).windows.map(({ resetAt }) => resetAt)).toEqual(ends);
  });

  test('show the end of a window by their own clock if the clock of Redis differs', async () => {
    const clock = () => Date.now() + 3_600_000;
    const ahead = await instances.open(redis.url, { clock });
    const of = newSubject({ perMinute: 1 });
    const before = clock();
    const [minute] = (await ahead.take(of)).windows;
    const { refused } = await ahead.take(of);
    const after = clock();
    for (const end of [minute?.resetAt ?? 0, refused?.until ?? 0]) {
      expect(end).toBeGreaterThan(before + MINUTE - 1000);
      expect(end).toBeLessThan(after + MINUTE + 1000);
    }
  });

  test('apply changed limits immediately', async () => {
    const of = newSubject({ perMinute: 1 });
    expect(await answers(one, of, 2)).toEqual(['admitted', 'minute']);
    const [minute, day] = of.windows as [Subject['windows'][0], Subject['windows'][0]];
    expect(await answers(one, { ...of, windows: [{ ...minute, limit: 2 }, day] }, 2)).toEqual(['admitted', 'minute']);
  });

  test('ban once for their combined refusals', async () => {
    const of = newSubject({ perMinute: 1, refusals: 30 });
    await answers(one, of, 21);
    expect(await answers(other, of, 10)).toEqual([...Array(9).fill('minute'), 'ban']);
    expect(await answers(one, of, 1)).toEqual(['ban']);
    expect(instances.bansOf(of)).toHaveLength(1);
  });

  test('learn from Redis that a ban is lifted, even without a notification', async () => {
    const of = newSubject({ perMinute: 1, refusals: 1 });
    expect(await answers(one, of, 2)).toEqual(['admitted', 'ban']);
    const [ban] = instances.bansOf(of) as [Ban];
    await other.applyBan(of.id, ban);
    expect(await answers(other, of, 1)).toEqual(['ban']);
    await one.applyBan(of.id, { ...ban, until: ban.bannedAt });
    await Promise.all([other.peek(of), one.peek(of)]);
    expect(other.bannedUntil(of.id)).toBeUndefined();
    expect(one.bannedUntil(of.id)).toBeUndefined();
  });

  describe('keep a ban', () => {
    const until = (ban: Ban | undefined) => ban?.until as number;

    test('that Redis has lost', async () => {
      const of = newSubject({ perMinute: 1, refusals: 1 });
      await answers(one, of, 2);
      await redis.command('FLUSHALL');
      expect(await answers(one, of, 1)).toEqual(['ban']);
      await redis.command('FLUSHALL');
      other.applyBan(of.id, instances.bansOf(of)[0] as Ban);
      expect(await answers(other, of, 1)).toEqual(['ban']);
      await redis.command('FLUSHALL');
      const newcomer = await instances.open(redis.url);
      expect(await answers(newcomer, of, 1)).toEqual(['ban']);
      expect(newcomer.bannedUntil(of.id)).toBe(until(instances.bansOf(of)[0]));
      expect(instances.bansOf(of)).toHaveLength(1);
    });

    test('that Redis has lost and that is over, so that the next one is twice as long', async () => {
      const of = newSubject({ perMinute: 1, refusals: 1 });
      const bannedAt = Date.now() - 3 * MINUTE;
      await instances.addBan(of, { bannedAt, until: bannedAt + 2 * MINUTE, forgottenAt: bannedAt + DAY });
      const newcomer = await instances.open(redis.url);
      expect(await answers(newcomer, of, 2)).toEqual(['admitted', 'ban']);
      const ban = instances.bansOf(of)[1] as Ban;
      expect(ban.until - ban.bannedAt).toBe(4 * MINUTE);
    });

    test('from the first request on, even if Redis has lost the ban and its clock was set back', async () => {
      const machine = createTestMachine(timeAhead() + DAY);
      const { clock, setClock } = machine;
      const limiter = await instances.open(redis.url, {
        clock: createMonotonicClock(clock, machine.stopwatch).now,
        connect: connectTimed(clock),
      });
      const of = newSubject({ perMinute: 1, refusals: 1 });
      expect(await answers(limiter, of, 2)).toEqual(['admitted', 'ban']);
      await redis.command('FLUSHALL');
      setClock(-3_600_000);
      expect(await answers(limiter, of, 2)).toEqual(['ban', 'ban']);
      expect(JSON.parse(await redis.command('GET', keyOf(of.id))).ban).toMatchObject({ bannedAt: clock() });
      expect(instances.bansOf(of)).toHaveLength(1);
    });

    test('that an instance began but did not save before it died', async () => {
      let now = timeAhead();
      const clock = () => now;
      const timed = { clock, connect: connectTimed(clock) };
      const dying = await instances.open(redis.url, { ...timed, saveBan: () => new Promise<never>(() => undefined) });
      const heir = await instances.open(redis.url, timed);
      const of = newSubject({ perMinute: 1, refusals: 1 });
      await dying.take(of);
      void dying.take(of);
      const bannedAt = await waitFor('the ban has begun', async () => {
        const kept = await redis.command('GET', keyOf(of.id));
        return JSON.parse(kept).ban?.bannedAt as number | undefined;
      });
      expect(await answers(heir, of, 1)).toEqual(['ban']);
      expect(instances.bansOf(of)).toEqual([]);
      now += 5000;
      expect(await answers(heir, of, 2)).toEqual(['ban', 'ban']);
      expect(instances.bansOf(of).map((ban) => ban.bannedAt)).toEqual([bannedAt]);
    });

    const openBroken = async () => {
      const disk = { isFull: true };
      const limiter = await instances.open(redis.url, {
        saveBan: async (subject, ban) => {
          if (disk.isFull) throw new Error('disk full');
          await instances.addBan(subject, ban);
        },
      });
      return { disk, limiter };
    };

    test('that cannot be saved hidden until it is saved', async () => {
      const { disk, limiter } = await openBroken();
      const of = newSubject({ perMinute: 1, refusals: 1 });
      await limiter.take(of);
      await expect(answers(limiter, of, 1)).rejects.toThrow('disk full');
      await expect(answers(limiter, of, 1)).rejects.toThrow('disk full');
      disk.isFull = false;
      expect(await answers(limiter, of, 1)).toEqual(['ban']);
      expect(instances.bansOf(of)).toHaveLength(1);
    });

    test('that another instance saved, instead of the one that they could not save', async () => {
      const { disk, limiter } = await openBroken();
      const of = newSubject({ perMinute: 1, refusals: 1 });
      await limiter.take(of);
      await expect(answers(limiter, of, 1)).rejects.toThrow('disk full');
      await redis.command('FLUSHALL');
      expect(await answers(other, of, 2)).toEqual(['admitted', 'ban']);
      disk.isFull = false;
      expect(await answers(limiter, of, 1)).toEqual(['ban']);
      expect(instances.bansOf(of)).toHaveLength(1);
    });
  });
});

describe.skipIf(lacks('Redis'))('four processes', () => {
  test.each([1250, 10])(
    'admit exactly the limit out of 5,000 requests for one subject, %d concurrent each',
    async (atOnce) => {
      const redis = await startRedis();
      const limit = 1234;
      const words = [redis.url, `four-${Date.now()}`, `${limit}`, '1250', `${atOnce}`];
      const program = fileURLToPath(import.meta.resolve('../../../test/take-many.ts'));
      const children = Array.from({ length: 4 }, () => {
        const child = Bun.spawn([process.execPath, program, ...words], { stdin: 'pipe', stdout: 'pipe' });
        return { child, lines: child.stdout.pipeThrough(new TextDecoderStream()).getReader() };
      });
      for (const { lines } of children) expect((await lines.read()).value).toBe('ready\n');
      for (const { child } of children) child.stdin.write('go\n');
      for (const { child } of children) child.stdin.flush();
      const results = await Promise.all(
        children.map(async ({ lines }) => JSON.parse((await lines.read()).value ?? '')),
      );
      await redis.remove();
      expect(results.flatMap(({ problems }) => problems)).toEqual([]);
      expect(results.reduce((sum, { admitted }) => sum + admitted, 0)).toBe(limit);
    },
  );
});

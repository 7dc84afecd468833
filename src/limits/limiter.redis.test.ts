import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { lacks, serverOfRun } from '../../test/needs.ts';
import { until } from '../../test/program.ts';
import { type Redis, startRedis, startRedisCluster } from '../../test/servers/redis.ts';
import { createRedisLimiter, type RedisLimiter } from './limiter.redis.ts';
import { limiterSuite } from './limiter.suite.ts';
import type { Subject } from './policy.ts';
import type { Ban } from './window.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Instances of one deployment, and the bans in the database that they share. */
const createInstances = () => {
  const opened: RedisLimiter[] = [];
  const bans = new Map<string, Ban>();
  const told: string[] = [];
  const note = (event: string) => told.push(event);
  return {
    bans,
    told,
    async open(url: string, deps: Partial<Parameters<typeof createRedisLimiter>[0]> = {}) {
      const limiter = await createRedisLimiter({
        url,
        clock: Date.now,
        log: { warn: note, info: note },
        saveBan: async ({ id }, ban) => {
          bans.set(id, ban);
        },
        findBan: async (id) => bans.get(id),
        // What is asked here is how requests are judged, also on a machine that is slow to answer.
        patienceMs: 2000,
        ...deps,
      });
      opened.push(limiter);
      return limiter;
    },
    async close() {
      await Promise.all(opened.splice(0).map((limiter) => limiter.close()));
    },
  };
};

const suiteOn = (url: () => string) => {
  const instances = createInstances();
  afterEach(async () => {
    await instances.close();
    expect(instances.told).toEqual([]);
  });
  limiterSuite({ createLimiter: ({ saveBan }) => instances.open(url(), { saveBan }), advance: (ms) => Bun.sleep(ms) });
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

  test('subjects are spread over all masters', async () => {
    const instances = createInstances();
    const limiter = await instances.open(cluster.url);
    await Promise.all(Array.from({ length: 100 }, (_, at) => limiter.take(subject({ perMinute: at + 1 }))));
    await instances.close();
    for (const master of cluster.masters) expect(Number(await master.command('DBSIZE'))).toBeGreaterThan(0);
  });
});

let subjects = 0;
const subject = ({ perMinute = 3, perDay = 1000, refusals = 5, minuteMs = MINUTE } = {}): Subject => {
  subjects += 1;
  return {
    id: `redis-${process.pid}-${Date.now()}-${subjects}`,
    windows: [
      { name: 'minute', limit: perMinute, lengthMs: minuteMs },
      { name: 'day', limit: perDay, lengthMs: DAY },
    ],
    ban: { refusals, countedMs: MINUTE, firstMs: 2 * MINUTE, longestMs: DAY, rememberedMs: DAY },
  };
};

const answers = async (limiter: RedisLimiter, of: Subject, requests: number) => {
  const told: string[] = [];
  for (let sent = 0; sent < requests; sent += 1) told.push((await limiter.take(of)).refused?.by ?? 'admitted');
  return told;
};

describe.skipIf(lacks('Redis'))('instances that share a Redis', () => {
  let redis: Redis;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.remove());

  let instances: ReturnType<typeof createInstances>;
  let one: RedisLimiter;
  let other: RedisLimiter;
  beforeEach(async () => {
    instances = createInstances();
    one = await instances.open(redis.url);
    other = await instances.open(redis.url);
  });
  afterEach(() => instances.close());

  const calls = async (): Promise<number> => {
    const stats = await redis.command('INFO', 'commandstats');
    return Number(/cmdstat_evalsha:calls=(\d+)/.exec(stats)?.[1] ?? 0);
  };
  const refusalsInRedis = async (of: Subject) => Number(await redis.command('HGET', `rl:{${of.id}}`, 'refusals'));

  test('count a subject together', async () => {
    const of = subject({ perMinute: 5 });
    await answers(one, of, 3);
    expect((await other.look(of)).windows.map(({ used }) => used)).toEqual([3, 3]);
    expect(await answers(other, of, 3)).toEqual(['admitted', 'admitted', 'minute']);
  });

  test('judge the requests of a subject that wait together in one call', async () => {
    const of = subject({ perMinute: 1000 });
    await one.take(of);
    const before = await calls();
    await Promise.all(Array.from({ length: 500 }, () => one.take(of)));
    expect((await calls()) - before).toBe(2);
    expect((await other.look(of)).windows[0]?.used).toBe(501);
  });

  test('tell the same end of a window', async () => {
    const of = subject();
    const ends = (await one.take(of)).windows.map(({ resetAt }) => resetAt);
    expect((await other.take(of)).windows.map(({ resetAt }) => resetAt)).toEqual(ends);
  });

  test('tell the end of a window by their own clock, when that of Redis is another', async () => {
    const ahead = await instances.open(redis.url, { clock: () => Date.now() + 3_600_000 });
    const of = subject({ perMinute: 1 });
    const [minute] = (await ahead.take(of)).windows;
    const { refused } = await ahead.take(of);
    for (const end of [minute?.resetAt ?? 0, refused?.until ?? 0]) {
      expect(Math.abs(end - (Date.now() + 3_600_000 + MINUTE))).toBeLessThan(5000);
    }
  });

  describe('refuse from memory', () => {
    test('what a window has no room for, without a call, with the values that Redis would tell', async () => {
      const of = subject({ perMinute: 1, refusals: 100 });
      await one.take(of);
      const asked = await one.take(of);
      const before = await calls();
      for (let sent = 0; sent < 20; sent += 1) expect(await one.take(of)).toEqual(asked);
      expect(await calls()).toBe(before);
    });

    test('until the window ends, and no longer', async () => {
      const of = subject({ perMinute: 1, refusals: 1000, minuteMs: 300 });
      const { windows } = await one.take(of);
      expect(await answers(one, of, 3)).toEqual(['minute', 'minute', 'minute']);
      await Bun.sleep(Math.max(0, (windows[0]?.resetAt ?? 0) - Date.now()) + 1);
      expect(await answers(one, of, 1)).toEqual(['admitted']);
    });

    test('and report it within a second, once', async () => {
      const of = subject({ perMinute: 1, refusals: 100 });
      expect(await answers(one, of, 31)).toEqual(['admitted', ...Array(30).fill('minute')]);
      expect(await refusalsInRedis(of)).toBe(0);
      await until('the refusals are reported', async () => (await refusalsInRedis(of)) === 30 || undefined, 1000);
      // Long enough for a report that has nothing to say.
      await Bun.sleep(600);
      await answers(one, of, 10);
      await until('the rest is reported', async () => (await refusalsInRedis(of)) === 40 || undefined, 1000);
      await one.close();
      expect(await refusalsInRedis(of)).toBe(40);
    });

    test('and the ban begins with the refusal that is one too many', async () => {
      const of = subject({ perMinute: 1, refusals: 30 });
      expect(await answers(one, of, 31)).toEqual(['admitted', ...Array(29).fill('minute'), 'ban']);
      expect(instances.bans.has(of.id)).toBe(true);
    });

    test('and the refusals of all instances lead to one ban within a second', async () => {
      const of = subject({ perMinute: 1, refusals: 30 });
      await answers(one, of, 21);
      await answers(other, of, 20);
      await until('the subject is banned', () => instances.bans.get(of.id), 1000);
      for (const instance of [one, other]) {
        const isBanned = async () => (await answers(instance, of, 1))[0] === 'ban' || undefined;
        await until('the instance knows of the ban', isBanned, 1000);
      }
    });

    test('a banned subject, without a call', async () => {
      const of = subject({ perMinute: 1, refusals: 1 });
      expect(await answers(one, of, 2)).toEqual(['admitted', 'ban']);
      const before = await calls();
      expect(await answers(one, of, 20)).toEqual(Array(20).fill('ban'));
      expect(await calls()).toBe(before);
    });

    test('nothing by limits that have changed since', async () => {
      const of = subject({ perMinute: 1, refusals: 100 });
      expect(await answers(one, of, 2)).toEqual(['admitted', 'minute']);
      const [minute, day] = of.windows as [Subject['windows'][0], Subject['windows'][0]];
      expect(await answers(one, { ...of, windows: [{ ...minute, limit: 2 }, day] }, 2)).toEqual(['admitted', 'minute']);
    });

    test('nothing of a subject they are told to forget', async () => {
      const of = subject({ perMinute: 1, refusals: 100 });
      expect(await answers(one, of, 3)).toEqual(['admitted', 'minute', 'minute']);
      await redis.command('HSET', `rl:{${of.id}}`, 'minute', '0');
      expect(await answers(one, of, 1)).toEqual(['minute']);
      one.forget(of.id);
      expect(await answers(one, of, 1)).toEqual(['admitted']);
    });
  });

  describe('keep a ban', () => {
    test('that Redis has lost', async () => {
      const of = subject({ perMinute: 1, refusals: 1 });
      await answers(one, of, 2);
      await redis.command('FLUSHALL');
      expect(await answers(one, of, 1)).toEqual(['ban']);
      expect(await answers(other, of, 1)).toEqual(['ban']);
      expect((await other.look(of)).bannedUntil).toBe(instances.bans.get(of.id)?.until as number);
    });

    test('that Redis has lost and that is over, so that the next one is twice as long', async () => {
      const of = subject({ perMinute: 1, refusals: 1 });
      const bannedAt = Date.now() - 3 * MINUTE;
      instances.bans.set(of.id, { bannedAt, until: bannedAt + 2 * MINUTE, forgottenAt: bannedAt + DAY });
      expect(await answers(one, of, 2)).toEqual(['admitted', 'ban']);
      const ban = instances.bans.get(of.id) as Ban;
      expect(ban.until - ban.bannedAt).toBe(4 * MINUTE);
    });

    test('of an instance that died before it saved it', async () => {
      const dying = await instances.open(redis.url, { saveBan: () => new Promise<never>(() => undefined) });
      const of = subject({ perMinute: 1, refusals: 1 });
      await dying.take(of);
      void dying.take(of);
      await until(
        'the ban has begun',
        async () => (await redis.command('HGET', `rl:{${of.id}}`, 'banned_at')) || undefined,
      );
      expect((await other.look(of)).bannedUntil).toBeUndefined();
      expect(await answers(other, of, 1)).toEqual(['ban']);
      const bannedAt = Number(await redis.command('HGET', `rl:{${of.id}}`, 'banned_at'));
      expect(instances.bans.get(of.id)?.bannedAt).toBe(bannedAt);
    });

    test('that cannot be saved to themselves until it is', async () => {
      let isBroken = true;
      const careful = await instances.open(redis.url, {
        saveBan: async ({ id }, ban) => {
          if (isBroken) throw new Error('disk full');
          instances.bans.set(id, ban);
        },
      });
      const of = subject({ perMinute: 1, refusals: 1 });
      await careful.take(of);
      await expect(careful.take(of)).rejects.toThrow('disk full');
      await expect(careful.take(of)).rejects.toThrow('disk full');
      isBroken = false;
      expect(await answers(careful, of, 1)).toEqual(['ban']);
      expect(instances.bans.has(of.id)).toBe(true);
    });

    test('they hear of from another', async () => {
      const of = subject();
      await one.take(of);
      const bannedAt = Date.now();
      const before = await calls();
      one.applyBan(of.id, { bannedAt, until: bannedAt + MINUTE, forgottenAt: bannedAt + DAY });
      expect(await answers(one, of, 1)).toEqual(['ban']);
      expect(await calls()).toBe(before);
    });
  });

  test('keep what is spent when Redis has lost everything', async () => {
    const of = subject({ perMinute: 2, refusals: 100 });
    expect(await answers(one, of, 2)).toEqual(['admitted', 'admitted']);
    await redis.command('FLUSHALL');
    one.forget(of.id);
    expect(await answers(one, of, 1)).toEqual(['minute']);
    expect(await answers(other, of, 1)).toEqual(['minute']);
  });
});

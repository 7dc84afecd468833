import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { fileURLToPath } from 'node:url';
import { lacks } from '../../test/needs.ts';
import { until } from '../../test/program.ts';
import { startProxy } from '../../test/servers/proxy.ts';
import { type Redis, startRedis, startRedisCluster } from '../../test/servers/redis.ts';
import { createRedisLimiter, type RedisLimiter } from './limiter.redis.ts';
import type { Subject } from './policy.ts';
import type { Ban } from './window.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const MOST_MS = 50;

let subjects = 0;
const subject = (perMinute: number, refusals = 1_000_000): Subject => {
  subjects += 1;
  return {
    id: `faults-${process.pid}-${Date.now()}-${subjects}`,
    windows: [
      { name: 'minute', limit: perMinute, lengthMs: MINUTE },
      { name: 'day', limit: 1_000_000, lengthMs: DAY },
    ],
    ban: { refusals, countedMs: MINUTE, firstMs: 2 * MINUTE, longestMs: DAY, rememberedMs: DAY },
  };
};

let limiters: RedisLimiter[];
let told: string[];
let bans: Map<string, Ban>;
beforeEach(() => {
  limiters = [];
  told = [];
  bans = new Map();
});
afterEach(async () => {
  await Promise.all(limiters.map((limiter) => limiter.close()));
});

const open = async (url: string) => {
  const limiter = await createRedisLimiter({
    url,
    clock: Date.now,
    log: { warn: (event) => told.push(event), info: (event) => told.push(event) },
    saveBan: async ({ id }, ban) => {
      bans.set(id, ban);
    },
    findBan: async (id) => bans.get(id),
  });
  limiters.push(limiter);
  return limiter;
};

const TICK_MS = 5;

/** Takes down when this process itself is held up, as on a machine with too much to do: that is no waiting for Redis. */
const watchStalls = () => {
  const stalls: { from: number; to: number }[] = [];
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    if (now - last > 3 * TICK_MS) stalls.push({ from: last + TICK_MS, to: now });
    last = now;
  }, TICK_MS);
  return {
    stalledMs: (from: number, to: number) =>
      stalls.reduce((sum, stall) => sum + Math.max(0, Math.min(to, stall.to) - Math.max(from, stall.from)), 0),
    stop: () => clearInterval(timer),
  };
};

/** Requests of many callers, one after another each, until told to stop; with what they were answered and when. */
const startLoad = (limiter: RedisLimiter, of: readonly Subject[]) => {
  const spans: { from: number; to: number }[] = [];
  const stalls = watchStalls();
  let failed = 0;
  let isOver = false;
  const call = async (one: Subject) => {
    while (!isOver) {
      const from = performance.now();
      await Promise.resolve(limiter.take(one)).catch(() => {
        failed += 1;
      });
      spans.push({ from, to: performance.now() });
      await Bun.sleep(2);
    }
  };
  const callers = of.map(call);
  return {
    async stop() {
      isOver = true;
      await Promise.all(callers);
      await Bun.sleep(2 * TICK_MS);
      stalls.stop();
      const waits = spans.map(({ from, to }) => to - from - stalls.stalledMs(from, to)).sort((a, b) => a - b);
      const p99Ms = Math.round(waits[Math.floor(waits.length * 0.99)] ?? 0);
      console.log(JSON.stringify({ requests: waits.length, failed, p99Ms, mostMs: Math.round(waits.at(-1) ?? 0) }));
      return { failed, p99Ms };
    },
  };
};

const isTold = (event: string) => until(event, () => told.includes(event) || undefined);
const usedInRedis = async (redis: Redis, of: Subject) => Number(await redis.command('HGET', `rl:{${of.id}}`, 'minute'));
const usedBy = async (limiter: RedisLimiter, of: Subject) => (await limiter.look(of)).windows[0]?.used;

describe.skipIf(lacks('Redis'))('while Redis is away', () => {
  let redis: Redis;
  let proxy: Awaited<ReturnType<typeof startProxy>>;
  let url: string;
  beforeEach(async () => {
    redis = await startRedis();
    proxy = await startProxy(redis.port);
    url = `redis://127.0.0.1:${proxy.port}`;
  });
  afterEach(async () => {
    await Promise.all(limiters.splice(0).map((limiter) => limiter.close()));
    await proxy.stop();
    await redis.remove();
  });

  const faults: [string, { begin(): unknown; end(): Promise<unknown> }][] = [
    ['killed', { begin: () => redis.kill(), end: () => redis.restart() }],
    ['black-holed', { begin: () => proxy.blackHole(), end: () => proxy.restore() }],
    ['cut off', { begin: () => proxy.cut(), end: () => proxy.restore() }],
    ['too slow', { begin: () => proxy.delay(200), end: () => proxy.restore() }],
  ];

  test.each(faults)(
    'because it is %s, every request is answered in time, and each change is told once',
    async (_, fault) => {
      const limiter = await open(url);
      const of = Array.from({ length: 20 }, () => subject(1_000_000));
      const load = startLoad(limiter, of);
      await Bun.sleep(200);
      await fault.begin();
      await isTold('redis_away');
      await Bun.sleep(500);
      await fault.end();
      await isTold('redis_back');
      await Bun.sleep(200);
      const { failed, p99Ms } = await load.stop();
      expect(failed).toBe(0);
      expect(p99Ms).toBeLessThanOrEqual(MOST_MS);
      expect(told).toEqual(['redis_away', 'redis_back']);
    },
  );

  test.each(faults)(
    'because it is %s, the limit holds from what was known, and Redis is told the rest',
    async (_, fault) => {
      const limiter = await open(url);
      const of = subject(50);
      for (let sent = 0; sent < 20; sent += 1) await limiter.take(of);
      await fault.begin();
      let admitted = 20;
      for (let sent = 0; sent < 25; sent += 1) if (!(await limiter.take(of)).refused) admitted += 1;
      expect(admitted).toBe(45);
      for (let sent = 0; sent < 5; sent += 1) await limiter.take(subject(1));
      expect(told).toEqual(['redis_away']);
      await fault.end();
      await isTold('redis_back');
      await until('Redis is told', async () => (await usedInRedis(redis, of)) === 45 || undefined);
      const other = await open(redis.url);
      for (let sent = 0; sent < 10; sent += 1) if (!(await other.take(of)).refused) admitted += 1;
      expect(admitted).toBe(50);
    },
  );

  test('a window that is spent stays spent, and a banned subject banned', async () => {
    const limiter = await open(url);
    const [spent, banned] = [subject(2), subject(1, 1)];
    for (let sent = 0; sent < 2; sent += 1) await limiter.take(spent);
    await limiter.take(banned);
    expect((await limiter.take(banned)).refused?.by).toBe('ban');
    await redis.kill();
    for (const one of Array.from({ length: 5 }, () => subject(1))) await limiter.take(one);
    expect(told).toEqual(['redis_away']);
    expect((await limiter.take(spent)).refused?.by).toBe('minute');
    expect((await limiter.take(banned)).refused?.by).toBe('ban');
  });

  test('a ban is found in the database, and one that begins is saved there and told to Redis when it is back', async () => {
    const limiter = await open(url);
    const [known, begun] = [subject(1), subject(1, 1)];
    const bannedAt = Date.now() - 1000;
    bans.set(known.id, { bannedAt, until: bannedAt + MINUTE, forgottenAt: bannedAt + DAY });
    await redis.kill();
    expect((await limiter.take(known)).refused?.by).toBe('ban');
    await limiter.take(begun);
    expect((await limiter.take(begun)).refused?.by).toBe('ban');
    expect(bans.has(begun.id)).toBe(true);
    await limiter.take(subject(1));
    expect(told).toEqual(['redis_away']);
    await redis.restart();
    await isTold('redis_back');
    const key = `rl:{${begun.id}}`;
    await until('Redis knows of the ban', async () => (await redis.command('HGET', key, 'banned_at')) || undefined);
    expect(Number(await redis.command('HGET', key, 'saved'))).toBe(bans.get(begun.id)?.bannedAt as number);
  });

  test('an instance starts, holds the limit alone, and finds Redis when it is there', async () => {
    await proxy.cut();
    const limiter = await open(url);
    const of = subject(5);
    const answers: boolean[] = [];
    for (let sent = 0; sent < 8; sent += 1) answers.push((await limiter.take(of)).refused === undefined);
    expect(answers).toEqual([...Array(5).fill(true), ...Array(3).fill(false)]);
    expect(told).toEqual(['redis_away']);
    await proxy.restore();
    await isTold('redis_back');
    await until('Redis is told', async () => (await usedInRedis(redis, of)) === 5 || undefined);
  });

  test('nobody waits for it any more once that is known', async () => {
    const limiter = await open(url);
    proxy.blackHole();
    for (let sent = 0; sent < 5; sent += 1) await limiter.take(subject(1));
    expect(told).toEqual(['redis_away']);
    const began = performance.now();
    for (let sent = 0; sent < 40; sent += 1) await limiter.take(subject(1));
    // Asked for each of them, it would take a second.
    expect(performance.now() - began).toBeLessThan(250);
  });

  test('what comes to Redis only after the connection was given up is not counted twice', async () => {
    const limiter = await open(url);
    const of = subject(1000);
    await limiter.take(of);
    proxy.blackHole();
    await Promise.all(Array.from({ length: 10 }, () => limiter.take(of)));
    // Longer than a connection may be silent.
    await Bun.sleep(700);
    await proxy.restore();
    await until('Redis is told', async () => (await usedInRedis(redis, of)) >= 11 || undefined);
    await limiter.close();
    expect(await usedInRedis(redis, of)).toBe(11);
  });

  test('what Redis has counted, but answered too late, is not counted twice', async () => {
    const limiter = await open(url);
    const of = subject(1000);
    await limiter.take(of);
    proxy.delay(20);
    for (let sent = 0; sent < 5; sent += 1) await limiter.take(of);
    await proxy.restore();
    await until('Redis is told', async () => (await usedInRedis(redis, of)) >= 6 || undefined);
    await limiter.close();
    expect(await usedInRedis(redis, of)).toBe(6);
  });
});

describe.skipIf(lacks('Redis'))('a Redis Cluster', () => {
  let cluster: Awaited<ReturnType<typeof startRedisCluster>>;
  beforeAll(async () => {
    cluster = await startRedisCluster({ replicas: true });
  }, 60_000);
  afterAll(() => cluster.remove());

  test('that loses a master answers every request in time, and counts on with its replica', async () => {
    const limiter = await open(cluster.url);
    const of = Array.from({ length: 20 }, () => subject(1_000_000));
    const load = startLoad(limiter, of);
    await Bun.sleep(300);
    await cluster.killMaster(0);
    await isTold('redis_away');
    await until('it is back', () => told.at(-1) === 'redis_back' || undefined, 15_000);
    const { failed, p99Ms } = await load.stop();
    expect(failed).toBe(0);
    expect(p99Ms).toBeLessThanOrEqual(MOST_MS);
    const other = await open(cluster.replicas.map(({ url }) => url).join(','));
    const used = (instance: RedisLimiter) => Promise.all(of.map((one) => usedBy(instance, one)));
    await until(
      'both instances see the same counts',
      async () => Bun.deepEquals(await used(limiter), await used(other)) || undefined,
    );
  }, 60_000);
});

describe.skipIf(lacks('Redis'))('a Redis without memory', () => {
  test('is away, also for callers it has never heard of, until it has some', async () => {
    const redis = await startRedis();
    try {
      const limiter = await open(redis.url);
      await redis.command('CONFIG', 'SET', 'maxmemory', '1');
      for (let count = 0; count < 5; count += 1) {
        expect((await limiter.take(subject(10))).refused).toBeUndefined();
      }
      expect(told).toEqual(['redis_away']);
      await redis.command('CONFIG', 'SET', 'maxmemory', '0');
      await until('it is back', () => told.includes('redis_back') || undefined);
    } finally {
      await redis.remove();
    }
  });
});

describe.skipIf(lacks('Redis'))('four processes', () => {
  test.each([1250, 10])(
    'admit exactly the limit of 5,000 requests for one subject, %d at once each',
    async (atOnce) => {
      const redis = await startRedis();
      const limit = 1234;
      const words = [redis.url, `four-${Date.now()}`, `${limit}`, '1250', `${atOnce}`];
      const program = fileURLToPath(import.meta.resolve('../../test/take-many.ts'));
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
      console.log(JSON.stringify(results));
      expect(results.flatMap(({ problems }) => problems)).toEqual([]);
      expect(results.reduce((sum, { admitted }) => sum + admitted, 0)).toBe(limit);
    },
    60_000,
  );
});

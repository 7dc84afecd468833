import { beforeEach, describe, expect, test } from 'bun:test';
import { createTestClock } from '../../../test/clock.ts';
import { createUsageCounter, type UsageCounter } from './counter.ts';
import type { KeyUsage } from './usage.ts';

const HOUR = 3_600_000;
const NOON = Date.parse('2026-11-20T12:00:00.000Z');

let clock: ReturnType<typeof createTestClock>;
let counter: UsageCounter;
let saved: KeyUsage[][];
let save: (batch: readonly KeyUsage[]) => Promise<void>;
beforeEach(() => {
  clock = createTestClock('2026-11-20T12:59:59.000Z');
  saved = [];
  save = async () => undefined;
  counter = createUsageCounter({
    clock,
    save: async (batch) => {
      saved.push(structuredClone([...batch]));
      await save(batch);
    },
  });
});

const REQUEST = { method: 'GET', path: '/v1/pets', urlLength: 30, code: undefined, durationMs: 1, address: '10.0.0.1' };

const count = (keyId: string, status = 200, deprecatedOperation?: string) =>
  counter.count({ ...REQUEST, keyId, status, requestId: `req_${status}`, deprecatedOperation });

const pending = async () => (await counter.readBetweenFlushes(async () => undefined)).pending;

const totals = (batches: readonly (readonly KeyUsage[])[]): Record<string, number> => {
  const sums: Record<string, number> = {};
  for (const { keyId, hours } of batches.flat()) {
    for (const { hour, status, count } of hours) {
      const name = `${keyId} ${(hour - NOON) / HOUR} ${status}`;
      sums[name] = (sums[name] ?? 0) + count;
    }
  }
  return sums;
};

describe('the usage counter', () => {
  test('counts by key, hour and status', async () => {
    count('one');
    count('one');
    count('one', 429);
    count('other');
    clock.advance(1000);
    count('one');
    expect((await pending()).get('one')).toEqual({
      keyId: 'one',
      lastUsedAt: NOON + HOUR,
      hours: [
        { hour: NOON, status: 200, count: 2 },
        { hour: NOON, status: 429, count: 1 },
        { hour: NOON + HOUR, status: 200, count: 1 },
      ],
      deprecated: [],
    });
    expect((await pending()).get('other')?.hours).toEqual([{ hour: NOON, status: 200, count: 1 }]);
    expect((await pending()).get('nobody')).toBeUndefined();
  });

  test('counts the calls of each deprecated operation, with the time of the last', async () => {
    count('one', 200, 'getPet');
    clock.advance(5);
    count('one', 404, 'getPet');
    count('one', 200, 'getDog');
    clock.advance(5);
    count('one', 200);
    const at = NOON + HOUR - 1000 + 5;
    expect((await pending()).get('one')?.deprecated).toEqual([
      { operation: 'getPet', keyId: 'one', calls: 2, lastCalledAt: at },
      { operation: 'getDog', keyId: 'one', calls: 1, lastCalledAt: at },
    ]);
  });
});

describe('a flush', () => {
  test('saves the counts since the previous flush, and nothing twice', async () => {
    count('one');
    await counter.flush();
    count('one');
    count('other');
    await counter.flush();
    await counter.flush();
    expect(saved.map((batch) => totals([batch]))).toEqual([{ 'one 0 200': 1 }, { 'one 0 200': 1, 'other 0 200': 1 }]);
    expect((await pending()).size).toBe(0);
  });

  test('saves at most 200 keys per transaction', async () => {
    for (let key = 0; key < 450; key += 1) count(`key ${key}`);
    await counter.flush();
    expect(saved.map((batch) => batch.length)).toEqual([200, 200, 50]);
    expect(new Set(saved.flat().map(({ keyId }) => keyId)).size).toBe(450);
  });

  test('does not delay requests: counts made meanwhile go into the next flush', async () => {
    const disk = Promise.withResolvers<void>();
    save = () => disk.promise;
    count('one');
    const flushed = counter.flush();
    count('one', 404);
    disk.resolve();
    await flushed;
    await counter.flush();
    expect(saved.map((batch) => totals([batch]))).toEqual([{ 'one 0 200': 1 }, { 'one 0 404': 1 }]);
  });

  test('ends even if new requests are counted during every save', async () => {
    save = async () => count('one');
    count('one');
    await counter.flush();
    expect(saved).toHaveLength(1);
    expect((await pending()).get('one')?.hours[0]?.count).toBe(1);
  });

  test('waits for a running flush, and keeps the order', async () => {
    const disk = Promise.withResolvers<void>();
    save = () => disk.promise;
    count('one');
    const first = counter.flush();
    count('one', 404);
    const second = counter.flush();
    await Promise.resolve();
    expect(saved).toHaveLength(1);
    disk.resolve();
    await Promise.all([first, second]);
    expect(saved.map((batch) => totals([batch]))).toEqual([{ 'one 0 200': 1 }, { 'one 0 404': 1 }]);
  });
});

describe('a flush that fails', () => {
  test('reports the error and loses nothing: its counts are added to newer ones', async () => {
    save = async () => {
      count('one', 200, 'getPet');
      count('one', 404);
      throw new Error('disk full');
    };
    count('one', 200, 'getPet');
    clock.advance(100);
    await expect(counter.flush()).rejects.toThrow('disk full');
    expect((await pending()).get('one')).toEqual({
      keyId: 'one',
      lastUsedAt: clock(),
      hours: [
        { hour: NOON, status: 200, count: 2 },
        { hour: NOON, status: 404, count: 1 },
      ],
      deprecated: [{ operation: 'getPet', keyId: 'one', calls: 2, lastCalledAt: clock() }],
    });
  });

  test('keeps the times of the requests, not its own', async () => {
    count('one', 200, 'getPet');
    const earlier = clock();
    clock.advance(10);
    save = async () => {
      throw new Error('disk full');
    };
    await expect(counter.flush()).rejects.toThrow();
    expect((await pending()).get('one')).toMatchObject({
      lastUsedAt: earlier,
      deprecated: [{ lastCalledAt: earlier }],
    });
  });

  test('after saving some keys leaves only the rest for the next flush', async () => {
    for (let key = 0; key < 450; key += 1) count(`key ${key}`);
    save = async () => {
      if (saved.length === 2) throw new Error('disk full');
    };
    await expect(counter.flush()).rejects.toThrow('disk full');
    expect((await pending()).size).toBe(250);
    count('key 0');
    count('key 449');
    await counter.flush();
    const [first = [], , ...rest] = saved;
    const sums = totals([first, ...rest]);
    expect(Object.keys(sums)).toHaveLength(450);
    expect([sums['key 0 0 200'], sums['key 1 0 200'], sums['key 449 0 200']]).toEqual([2, 1, 2]);
  });
});

describe('a read between flushes', () => {
  const whole = async () => {
    const { stored, pending } = await counter.readBetweenFlushes(async () => {
      const seen = totals(committed);
      await Promise.resolve();
      return seen;
    });
    return (stored['one 0 200'] ?? 0) + (pending.get('one')?.hours[0]?.count ?? 0);
  };
  let committed: KeyUsage[][];
  beforeEach(() => {
    committed = [];
  });

  test('misses nothing and counts nothing twice during a concurrent flush', async () => {
    const steps = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
    save = async (batch) => {
      await steps[0].promise;
      committed.push([...batch]);
      await steps[1].promise;
    };
    count('one');
    count('one');
    const seen = [whole()];
    const flushed = counter.flush();
    seen.push(whole());
    steps[0].resolve();
    await steps[0].promise;
    seen.push(whole());
    steps[1].resolve();
    seen.push(whole());
    await flushed;
    seen.push(whole());
    expect(await Promise.all(seen)).toEqual([2, 2, 2, 2, 2]);
  });

  test('is repeated if a flush ran in the meantime', async () => {
    count('one');
    save = async (batch) => {
      committed.push([...batch]);
    };
    let reads = 0;
    const { stored } = await counter.readBetweenFlushes(async () => {
      reads += 1;
      const seen = totals(committed);
      if (reads === 1) await counter.flush();
      return seen;
    });
    expect(stored).toEqual({ 'one 0 200': 1 });
    expect(reads).toBe(2);
  });

  test('is complete even if a flush begins before the counts are added up', async () => {
    count('one');
    const { stored, pending } = await counter.readBetweenFlushes(async () => totals(committed));
    await counter.flush();
    expect([stored, pending.get('one')?.hours[0]?.count]).toEqual([{}, 1]);
  });

  test('works after a failed flush', async () => {
    const disk = Promise.withResolvers<void>();
    save = () => disk.promise;
    count('one');
    const flushed = counter.flush();
    const seen = whole();
    disk.reject(new Error('disk full'));
    await expect(flushed).rejects.toThrow('disk full');
    expect(await seen).toBe(1);
  });
});

describe('the latest requests of a key', () => {
  const statuses = (keyId: string) => counter.recentOf(keyId).requests.map(({ status }) => status);
  const countUp = (keyId: string, from: number, to: number) => {
    for (let status = from; status < to; status += 1) {
      clock.advance(1);
      count(keyId, status);
    }
  };

  test('are kept newest first, separately from those of other keys', () => {
    const startedAt = clock();
    countUp('one', 1, 4);
    count('other', 500);
    expect(statuses('one')).toEqual([3, 2, 1]);
    expect(counter.recentOf('one').since).toBe(startedAt);
    expect(counter.recentOf('nobody')).toEqual({ since: startedAt, requests: [] });
    const { urlLength: _, ...shown } = REQUEST;
    expect(counter.recentOf('one').requests[0]).toEqual({ ...shown, at: clock(), requestId: 'req_3', status: 3 });
  });

  test('are at most 200: a busy key forgets only its own', () => {
    count('quiet', 1);
    countUp('busy', 0, 450);
    expect(statuses('busy')).toEqual(Array.from({ length: 200 }, (_, index) => 449 - index));
    expect(counter.recentOf('busy').since).toBe(counter.recentOf('busy').requests.at(-1)?.at ?? 0);
    expect(statuses('quiet')).toEqual([1]);
  });

  test('are at most 20,000 across all keys: the least recently used keys are forgotten', () => {
    const kept = (most: number) =>
      Array.from({ length: most }, (_, key) => statuses(`key ${key}`).length).reduce((sum, length) => sum + length, 0);
    count('used', 1);
    for (let key = 0; key < 300; key += 1) {
      countUp(`key ${key}`, 0, 200);
      count('used', 2);
    }
    expect(statuses('used')).toHaveLength(200);
    expect(statuses('key 299')).toHaveLength(200);
    expect(statuses('key 0')).toEqual([]);
    expect(kept(300)).toBeLessThanOrEqual(20_000);
    expect(kept(300)).toBeGreaterThan(9000);
    // `since` shows that the key's earlier requests have been forgotten.
    expect(counter.recentOf('key 0').since).toBeGreaterThan(NOON + HOUR);
    count('key 0', 7);
    expect(counter.recentOf('key 0').since).toBeGreaterThan(NOON + HOUR);
  });

  test('are at most 20,000 even if many keys make one request first and more later', () => {
    const keys = Array.from({ length: 9000 }, (_, key) => `key ${key}`);
    for (let round = 0; round < 5; round += 1) for (const key of keys) count(key, round);
    const lengths = keys.map((key) => statuses(key).length);
    expect(lengths.reduce((sum, length) => sum + length, 0)).toBeLessThanOrEqual(20_400);
    expect(statuses('key 8999')[0]).toBe(4);
  });

  test('keep at most 1,000 characters of a path', () => {
    const path = `/v1/${'x'.repeat(5000)}`;
    counter.count({
      ...REQUEST,
      path,
      urlLength: 5020,
      keyId: 'one',
      status: 404,
      requestId: '',
      deprecatedOperation: '',
    });
    expect(counter.recentOf('one').requests[0]?.path).toBe(path.slice(0, 1000));
  });
});

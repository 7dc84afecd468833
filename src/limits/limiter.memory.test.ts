import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { createTestMachine } from '../../test/clock.ts';
import { openTestDatabase, type TestDatabase } from '../../test/database.ts';

import { SYSTEM_CALL } from '../kernel/operation.ts';
import { createMemoryLimiter } from './limiter.memory.ts';
import { limiterSuite } from './limiter.suite.ts';
import { createMonotonicClock, type Subject, type Tally } from './window.ts';

const machine = createTestMachine();
limiterSuite({
  createLimiter: async ({ saveBan }) => {
    const { now: clock } = createMonotonicClock(machine.clock, machine.stopwatch);
    return createMemoryLimiter({ clock, tallies: new Map(), saveWindows: async () => undefined, saveBan });
  },
  advance: async (ms) => machine.pass(ms),
  setClock: async (byMs) => machine.setClock(byMs),
});

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let files: TestDatabase;
beforeAll(() => {
  files = openTestDatabase();
});
afterAll(() => files.close());

let tallies: Map<string, Tally>;
let limiter: ReturnType<typeof createMemoryLimiter>;
let written: string[][];
let broken: { windows: boolean; bans: boolean };

const start = async () => {
  const { database, clock } = files;
  tallies = await database.read(1n).limits.load(clock());
  written = [];
  broken = { windows: false, bans: false };
  limiter = createMemoryLimiter({
    clock,
    tallies,
    saveWindows: async (batch) => {
      written.push([...batch.keys()]);
      if (broken.windows) throw new Error('disk full');
      await database.write(SYSTEM_CALL, ({ limits }) => limits.save(batch));
    },
    saveBan: async ({ id }, ban) => {
      if (broken.bans) throw new Error('disk full');
      await database.write(SYSTEM_CALL, ({ limits }) => limits.addBan(id, ban));
    },
  });
};
const restart = async () => {
  await files.reopen();
  await start();
};
beforeEach(start);

let subjects = 0;
const subject = (): Subject => {
  subjects += 1;
  return {
    id: `subject-${subjects}`,
    windows: [
      { name: 'minute', limit: 3, lengthMs: MINUTE },
      { name: 'day', limit: 10, lengthMs: DAY },
    ],
    ban: { refusals: 2, countedMs: MINUTE, firstMs: 2 * MINUTE, longestMs: DAY, rememberedMs: DAY },
  };
};

const remaining = async (of: Subject) => (await limiter.peek(of)).windows.map((window) => window.remaining);
const refusals = async (of: Subject, requests: number) => {
  const answers: string[] = [];
  for (let sent = 0; sent < requests; sent += 1) answers.push((await limiter.take(of)).refused?.by ?? 'admitted');
  return answers;
};

describe('a flush of the memory limiter', () => {
  test('writes only the subjects that were counted since the last flush', async () => {
    const [one, other] = [subject(), subject()];
    await limiter.take(one);
    await limiter.take(other);
    await limiter.flush();
    await limiter.take(other);
    await limiter.flush();
    await limiter.flush();
    expect(written).toEqual([[one.id, other.id], [other.id]]);
  });

  test('writes nothing for a peek', async () => {
    await limiter.peek(subject());
    await limiter.flush();
    expect(written).toEqual([]);
  });

  test('rejects if it fails, and the next flush writes the rest', async () => {
    const [one, other] = [subject(), subject()];
    await limiter.take(one);
    broken.windows = true;
    await expect(limiter.flush()).rejects.toThrow('disk full');
    broken.windows = false;
    await limiter.take(other);
    await limiter.flush();
    expect(written.at(-1)?.toSorted()).toEqual([one.id, other.id]);
    await restart();
    expect(await remaining(one)).toEqual([2, 9]);
  });

  test('removes expired subjects and no others', async () => {
    const [ended, running] = [subject(), subject()];
    await limiter.take(ended);
    files.clock.advance(DAY - 1);
    await limiter.take(running);
    await limiter.flush();
    expect([tallies.has(ended.id), tallies.has(running.id)]).toEqual([true, true]);
    files.clock.advance(1);
    await limiter.flush();
    expect([tallies.has(ended.id), tallies.has(running.id)]).toEqual([false, true]);
  });

  test('removes very many expired subjects over several flushes, and keeps the others', async () => {
    const over: Tally = { windows: { minute: { used: 1, until: files.clock() } } };
    const many = new Map(Array.from({ length: 50_000 }, (_, at) => [`over ${at}`, over]));
    const nothing = async () => undefined;
    const swept = createMemoryLimiter({ clock: files.clock, tallies: many, saveWindows: nothing, saveBan: nothing });
    await swept.take(subject());
    for (const left of [30_001, 10_001, 1]) {
      await swept.flush();
      expect(many.size).toBe(left);
    }
    files.clock.advance(DAY);
    await swept.flush();
    expect(many.size).toBe(0);
  });

  test('keeps a banned subject until 24 hours after the end of its ban', async () => {
    const one = subject();
    await refusals(one, 5);
    files.clock.advance(2 * MINUTE + DAY - 1);
    await limiter.flush();
    expect(tallies.has(one.id)).toBe(true);
    files.clock.advance(1);
    await limiter.flush();
    expect(tallies.has(one.id)).toBe(false);
  });

  test('ends even if requests are counted meanwhile, and leaves those to the next flush', async () => {
    const one = subject();
    let saves = 0;
    const busy = createMemoryLimiter({
      clock: files.clock,
      tallies: new Map(),
      saveBan: async () => undefined,
      saveWindows: async () => {
        saves += 1;
        if (saves < 100) await busy.take(one);
      },
    });
    await busy.take(one);
    await busy.flush();
    expect(saves).toBe(1);
    await busy.flush();
    expect(saves).toBe(2);
  });

  test('writes at most 200 subjects per transaction, and after a failure only the rest', async () => {
    const many = Array.from({ length: 450 }, subject);
    for (const one of many) await limiter.take(one);
    broken.windows = true;
    await expect(limiter.flush()).rejects.toThrow('disk full');
    broken.windows = false;
    await limiter.flush();
    expect(written.map((batch) => batch.length)).toEqual([200, 200, 200, 50]);
    expect(new Set(written.slice(1).flat())).toEqual(new Set(many.map(({ id }) => id)));
  });

  test('keeps counts that were added while it was writing', async () => {
    const one = subject();
    await limiter.take(one);
    const flushed = limiter.flush();
    await limiter.take(one);
    await flushed;
    await limiter.flush();
    await restart();
    expect(await remaining(one)).toEqual([1, 8]);
  });
});

describe('after a restart the memory limiter', () => {
  test('continues with the flushed windows', async () => {
    const one = subject();
    const { windows } = await limiter.take(one);
    await limiter.flush();
    await restart();
    expect(await limiter.peek(one)).toEqual({ windows });
    expect(await refusals(one, 3)).toEqual(['admitted', 'admitted', 'minute']);
  });

  test('continues with the counted refusals', async () => {
    const one = subject();
    expect(await refusals(one, 4)).toEqual(['admitted', 'admitted', 'admitted', 'minute']);
    await limiter.flush();
    await restart();
    expect(await refusals(one, 1)).toEqual(['ban']);
  });

  test('still enforces a ban without a later flush', async () => {
    const one = subject();
    await refusals(one, 5);
    await restart();
    expect(await refusals(one, 1)).toEqual(['ban']);
    files.clock.advance(2 * MINUTE);
    expect(await refusals(one, 1)).toEqual(['admitted']);
  });

  test('still makes the next ban twice as long', async () => {
    const one = subject();
    await refusals(one, 5);
    files.clock.advance(2 * MINUTE);
    await restart();
    expect(await refusals(one, 5)).toEqual(['admitted', 'admitted', 'admitted', 'minute', 'ban']);
    expect((await limiter.take(one)).refused?.until).toBe(files.clock() + 4 * MINUTE);
  });

  test('no longer counts the refusals that led to a ban', async () => {
    const ban = { refusals: 2, countedMs: MINUTE, firstMs: 1000, longestMs: DAY, rememberedMs: DAY };
    const one: Subject = { ...subject(), windows: [{ name: 'day', limit: 1, lengthMs: DAY }], ban };
    expect(await refusals(one, 2)).toEqual(['admitted', 'day']);
    await limiter.flush();
    expect(await refusals(one, 1)).toEqual(['ban']);
    await restart();
    files.clock.advance(1000);
    expect(await refusals(one, 1)).toEqual(['day']);
  });
});

describe('a ban of the memory limiter', () => {
  test('is on disk before a caller sees it, without a flush', async () => {
    const one = subject();
    await refusals(one, 5);
    const kept = await files.database.read(1n).limits.load(files.clock());
    expect(kept.get(one.id)?.ban?.until).toBe(files.clock() + 2 * MINUTE);
  });

  test('that cannot be saved is not shown to any caller until it is saved', async () => {
    const one = subject();
    await refusals(one, 4);
    broken.bans = true;
    await expect(limiter.take(one)).rejects.toThrow('disk full');
    await expect(limiter.take(one)).rejects.toThrow('disk full');
    broken.bans = false;
    expect(await refusals(one, 1)).toEqual(['ban']);
    expect((await files.database.read(1n).limits.load(files.clock())).get(one.id)?.ban).toBeDefined();
  });
});

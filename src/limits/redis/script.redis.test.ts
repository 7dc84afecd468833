import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { Redis } from 'ioredis';
import { serverOfRun } from '../../../test/needs.ts';
import { TIMED_SCRIPT, timeAhead } from '../../../test/timed-redis.ts';
import { type Ban, type Subject, type Tally, take } from '../window.ts';
import { decodeReply, encodeCall, keyOf, shift } from './script.redis.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const url = serverOfRun('TEST_REDIS_URL');

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ requests: fc.integer({ min: 0, max: 9 }), cost: fc.constantFrom(1, 1, 2, 5) }) },
  { weight: 1, arbitrary: fc.record({ change: fc.record({ minute: fc.nat(12), day: fc.nat(12) }) }) },
  {
    weight: 2,
    arbitrary: fc.record({ passMs: fc.constantFrom(0, 1, MINUTE - 1, MINUTE, MINUTE + 1, 2 * MINUTE, DAY - 1, DAY) }),
  },
  { weight: 1, arbitrary: fc.record({ passMs: fc.integer({ min: -180 * MINUTE, max: 10 * MINUTE }) }) },
);
const limit = fc.integer({ min: 0, max: 12 });
const limits = fc.record({ minute: limit, day: limit });

describe.skipIf(!url)('the script', () => {
  let redis: Redis;
  beforeAll(() => {
    redis = new Redis(url ?? '');
  });
  afterAll(() => redis.disconnect());

  let subjects = 0;
  const begin = (windows: { minute: number; day: number }, refusals?: number) => {
    subjects += 1;
    const subject: Subject = {
      id: `script-${process.pid}-${Date.now()}-${subjects}`,
      windows: [
        { name: 'minute', limit: windows.minute, lengthMs: MINUTE },
        { name: 'day', limit: windows.day, lengthMs: DAY },
      ],
      ...(refusals && {
        ban: { refusals, countedMs: MINUTE, firstMs: 2 * MINUTE, longestMs: DAY, rememberedMs: DAY },
      }),
    };
    const key = keyOf(subject.id);
    let now = timeAhead();
    return {
      subject,
      key,
      now: () => now,
      pass: (ms: number) => {
        now += ms;
      },
      count: async (requests: number, savedBan?: Ban, cost = 1) => {
        const words = encodeCall(subject, requests, cost, savedBan);
        return decodeReply(await redis.eval(TIMED_SCRIPT, 1, key, ...words, `${now}`));
      },
    };
  };

  test('counts the limit of an enterprise key exactly', async () => {
    const { subject, key, now, count } = begin({ minute: 100_000_000, day: 10_000_000_000 });
    const windows = {
      minute: { used: 99_999_998, until: now() + 1 },
      day: { used: 9_999_999_990, until: now() + DAY },
    };
    await redis.set(key, JSON.stringify({ windows }));
    await count(5);
    const { tally } = await count(0);
    expect(tally.windows).toEqual({
      minute: { used: 100_000_000, until: now() + 1 },
      day: { used: 9_999_999_992, until: now() + DAY },
    });
    expect(take(subject, tally, now()).verdict.refused?.by).toBe('minute');
  });

  const ban = (bannedAt: number): Ban => ({
    bannedAt,
    until: bannedAt + 2 * MINUTE,
    forgottenAt: bannedAt + 2 * MINUTE + DAY,
  });

  test.each([
    ['the hash of an older version', ['HSET', 'minute', '3']],
    ['text that is not a tally', ['SET', 'garbage']],
    ['an object without windows', ['SET', '{"ban":null}']],
    ['a number', ['SET', '7']],
  ])('starts from zero if it finds %s', async (_, [command = '', ...words]) => {
    const { subject, key, now, count } = begin({ minute: 2, day: 100 }, 5);
    await redis.call(command, key, ...words);
    expect((await count(3)).tally).toEqual({ windows: {} });
    const { tally } = await count(0);
    expect(take(subject, tally, now()).verdict.refused?.by).toBe('minute');
  });

  test('keeps its ban when it receives one from a clock ahead of its own', async () => {
    const { now, count } = begin({ minute: 1, day: 100 }, 1);
    await count(2);
    const begun = ban(now());
    expect((await count(1, ban(now() + MINUTE))).tally.ban).toEqual(begun);
  });

  test('applies a received ban that it does not know', async () => {
    const { now, count } = begin({ minute: 5, day: 100 }, 5);
    await count(7);
    const seen = ban(now() - MINUTE);
    const { tally } = await count(3, seen);
    expect([tally.ban, tally.refusals]).toEqual([seen, undefined]);
    expect((await count(0)).tally).toEqual(tally);
  });

  test('applies a ban that begins at this instant', async () => {
    const { now, count } = begin({ minute: 5, day: 100 }, 5);
    expect((await count(1, ban(now()))).tally.ban).toEqual(ban(now()));
  });

  test('moves a ban to now when its clock goes back, even slightly', async () => {
    const { now, pass, count } = begin({ minute: 0, day: 0 }, 1);
    await count(1);
    pass(-1);
    await count(1);
    expect((await count(0)).tally.ban).toEqual(ban(now()));
  });

  test('shortens a window when its clock goes back, on a request and not on a peek', async () => {
    const { now, pass, count } = begin({ minute: 5, day: 100 });
    await count(1);
    const before = (await count(0)).tally;
    pass(-1);
    await count(0);
    expect((await count(1)).tally).toEqual(before);
    expect((await count(0)).tally.windows).toEqual({
      minute: { used: 2, until: now() + MINUTE },
      day: { used: 2, until: now() + DAY },
    });
  });

  test('keeps the later of its own ban and a received one', async () => {
    const { now, count } = begin({ minute: 1, day: 100 }, 1);
    await count(2);
    expect((await count(1, ban(now() - 3 * MINUTE))).tally.ban).toEqual(ban(now()));
  });

  test.each([
    [-1, 4 * MINUTE],
    [0, 2 * MINUTE],
  ])('starts, %i ms after the last ban is forgotten, a ban of %i ms', async (afterMs, lengthMs) => {
    const { now, pass, count } = begin({ minute: 0, day: 0 }, 1);
    await count(1);
    pass(ban(0).forgottenAt + afterMs);
    await count(1);
    const { ban: next } = (await count(0)).tally;
    expect([next?.bannedAt, next?.until]).toEqual([now(), now() + lengthMs]);
  });

  describe('treats a received ban', () => {
    const receive = async (known: (now: number) => Ban, received: (now: number) => Ban) => {
      const begun = begin({ minute: 1, day: 100 }, 9);
      const bannedAt = begun.now();
      begun.pass(5000);
      await begun.count(0, known(bannedAt));
      const { ban: kept } = (await begun.count(0, received(bannedAt))).tally;
      return { kept, bannedAt };
    };
    const lifted = (bannedAt: number): Ban => ({ ...ban(bannedAt), until: bannedAt });

    test.each([
      [1001, 'another', 1001],
      [1000, 'the same', 0],
      [0, 'the same', 0],
      [-1000, 'the same', 0],
    ])('that begins %i ms after the known one as %s', async (aheadMs, _, keptMs) => {
      const { kept, bannedAt } = await receive(ban, (now) => ban(now + aheadMs));
      expect(kept).toEqual(ban(bannedAt + keptMs));
    });

    test('as a new ban, however close, if the known one is lifted', async () => {
      const { kept, bannedAt } = await receive(lifted, (now) => ban(now + 1));
      expect(kept).toEqual(ban(bannedAt + 1));
    });

    test('as the known one if that was lifted meanwhile', async () => {
      const { kept, bannedAt } = await receive(lifted, (now) => ban(now));
      expect(kept).toEqual(lifted(bannedAt));
    });

    test.each([
      [-1000, true],
      [0, true],
      [-1001, false],
    ])('that is lifted and begins %i ms after the known one as its lifting: %p', async (aheadMs, isLifted) => {
      const { kept, bannedAt } = await receive(ban, (now) => lifted(now + aheadMs));
      expect(kept).toEqual(isLifted ? lifted(bannedAt + aheadMs) : ban(bannedAt));
    });
  });

  describe('requests that a ban be saved', () => {
    const beginBanned = async () => {
      const begun = begin({ minute: 1, day: 100 }, 1);
      await begun.count(2);
      return begun;
    };

    test('by no instance while the one that caused it may still save it', async () => {
      const { pass, count } = await beginBanned();
      expect((await count(1)).isBanToSave).toBe(false);
      pass(4999);
      expect((await count(1)).isBanToSave).toBe(false);
    });

    test('by one instance at a time until one confirms it', async () => {
      const { pass, count } = await beginBanned();
      pass(5000);
      expect((await count(0)).isBanToSave).toBe(false);
      expect((await count(1)).isBanToSave).toBe(true);
      expect((await count(1)).isBanToSave).toBe(false);
      pass(5000);
      expect((await count(1)).isBanToSave).toBe(true);
    });

    test.each([
      [1000, false],
      [1001, true],
    ])('after a confirmation of a ban that began %i ms earlier: %p', async (earlierMs, isAsked) => {
      const { now, pass, count } = await beginBanned();
      await count(1, ban(now() - earlierMs));
      pass(5000);
      expect((await count(1)).isBanToSave).toBe(isAsked);
    });

    test('not again when its clock goes back, until that time has passed', async () => {
      const { pass, count } = await beginBanned();
      pass(-MINUTE);
      await count(1);
      pass(4999);
      expect((await count(1)).isBanToSave).toBe(false);
      pass(1);
      expect((await count(1)).isBanToSave).toBe(true);
    });

    test('by no instance once it is confirmed, even by a slightly different clock', async () => {
      const { now, pass, count } = await beginBanned();
      const begun = ban(now());
      await count(1, ban(now() + 1000));
      pass(5000);
      const { isBanToSave, tally } = await count(1);
      expect([isBanToSave, tally.ban]).toEqual([false, begun]);
    });
  });

  test('keeps a subject as long as it is needed, and no longer', async () => {
    const { now, key, count } = begin({ minute: 1, day: 100 }, 2);
    await count(1);
    expect(await redis.pexpiretime(key)).toBe(now() + DAY);
    await count(2);
    expect(await redis.pexpiretime(key)).toBe(now() + 2 * MINUTE + DAY);
  });

  test('keeps refusals as long as they are counted, even if all windows end earlier', async () => {
    const { subject, now, key, pass, count } = begin({ minute: 1, day: 100 }, 9);
    subject.windows = subject.windows.slice(0, 1);
    await count(1);
    pass(MINUTE / 2);
    await count(1);
    expect(await redis.pexpiretime(key)).toBe(now() + MINUTE);
  });

  describe('keeps the time of the last write', () => {
    const write = (subject: Subject) => Object.assign(subject, { mayWrite: true });
    const read = (subject: Subject) => Object.assign(subject, { mayWrite: undefined });

    test('and reports the time before the call', async () => {
      const { subject, now, pass, count } = begin({ minute: 9, day: 9 });
      const startedAt = now();
      expect((await count(1)).wroteAt).toBe(startedAt);
      pass(10_000);
      write(subject);
      expect((await count(1)).wroteAt).toBe(startedAt);
      read(subject);
      pass(10_000);
      expect((await count(1)).wroteAt).toBe(startedAt + 10_000);
      expect((await count(0)).wroteAt).toBe(startedAt + 10_000);
    });

    test('also for a call without requests, which counts nothing', async () => {
      const { subject, now, pass, count } = begin({ minute: 9, day: 9 });
      const { windows } = subject;
      await count(1);
      pass(10_000);
      Object.assign(write(subject), { windows: [] });
      await count(0);
      Object.assign(read(subject), { windows });
      const { wroteAt, tally } = await count(0);
      expect([wroteAt, tally.windows.minute?.used]).toEqual([now(), 1]);
    });

    test('and counts a key without a stored time as one that has just written', async () => {
      const { now, key, pass, count } = begin({ minute: 9, day: 9 });
      await count(1);
      pass(10_000);
      await redis.del(key);
      expect((await count(1)).wroteAt).toBe(now());
      await redis.set(key, JSON.stringify({ windows: {} }));
      pass(10_000);
      expect((await count(1)).wroteAt).toBe(now());
    });

    test('which is never in the future, even if the clock is set back', async () => {
      const { subject, now, pass, count } = begin({ minute: 9, day: 9 });
      write(subject);
      await count(1);
      pass(-MINUTE);
      read(subject);
      expect((await count(1)).wroteAt).toBe(now());
    });

    test('but not of a write that a ban refuses', async () => {
      const { subject, now, pass, count } = begin({ minute: 1, day: 9 }, 1);
      const startedAt = now();
      await count(2);
      pass(1000);
      write(subject);
      await count(1);
      expect((await count(0)).wroteAt).toBe(startedAt);
    });
  });

  test('converts times to a clock that is behind, and keeps the counts', async () => {
    const { now, count } = begin({ minute: 5, day: 100 }, 5);
    await count(3, ban(now() - DAY));
    const remembered = await count(0);
    const { minute, day } = remembered.tally.windows;
    expect(minute?.used).toBe(3);
    expect(shift(remembered, 1)).toEqual({
      now: now() - 1,
      wroteAt: now() - 1,
      isBanToSave: false,
      tally: {
        windows: {
          minute: { used: 3, until: (minute?.until ?? 0) - 1 },
          day: { used: 3, until: (day?.until ?? 0) - 1 },
        },
        ban: ban(now() - DAY - 1),
      },
    });
    expect(shift(remembered, 0)).toEqual(remembered);
  });

  test('writes nothing for a peek', async () => {
    const { key, count } = begin({ minute: 1, day: 100 }, 2);
    await count(0);
    expect(await redis.exists(key)).toBe(0);
  });

  test('counts any interleaving of requests and time as the rules in window.ts do', async () => {
    await fc.assert(
      fc.asyncProperty(
        limits,
        fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined }),
        fc.array(step, { minLength: 10, maxLength: 60, size: 'max' }),
        async (windows, refusals, steps) => {
          const { subject, now, pass, count } = begin(windows, refusals);
          const tally: Tally = { windows: {} };
          for (const move of [...steps, { requests: 0, cost: 1 }]) {
            if ('passMs' in move) pass(move.passMs);
            else if ('change' in move) for (const rule of subject.windows) rule.limit = move.change[rule.name];
            else {
              const remembered = await count(move.requests, undefined, move.cost);
              expect(remembered.tally).toEqual(tally);
              expect(remembered.now).toBe(now());
              for (let taken = 0; taken < move.requests; taken += 1) take(subject, tally, now(), move.cost);
            }
          }
        },
      ),
      {
        numRuns: 150,
        examples: [
          [
            { minute: 1, day: 2 },
            1,
            [
              { requests: 2, cost: 1 },
              { passMs: 2 * MINUTE },
              { requests: 1, cost: 1 },
              { passMs: -1 },
              { requests: 1, cost: 1 },
            ],
          ],
        ],
      },
    );
  });
});

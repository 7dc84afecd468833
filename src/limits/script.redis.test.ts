import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { Redis } from 'ioredis';
import { serverOfRun } from '../../test/needs.ts';
import { verdictsOf } from './known.redis.ts';
import type { Subject } from './policy.ts';
import { decodeAnswer, encodeOrder, type Judged, keyOf, type Order, SCRIPT } from './script.redis.ts';
import { look, type Tally, take } from './window.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const url = serverOfRun('TEST_REDIS_URL');

/** The script with the time taken from a key beside its own, so that a test can move it. */
const TIMED = SCRIPT.replace(`redis.call('TIME')`, `{0, redis.call('GET', KEYS[1] .. ':now') * 1000}`);

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ requests: fc.integer({ min: 0, max: 9 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({ passMs: fc.constantFrom(0, 1, MINUTE - 1, MINUTE, MINUTE + 1, 2 * MINUTE, DAY - 1, DAY) }),
  },
  { weight: 1, arbitrary: fc.record({ passMs: fc.integer({ min: -2 * MINUTE, max: 10 * MINUTE }) }) },
);
const limit = fc.integer({ min: 1, max: 12 });

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
    // What Redis believes to be over would be gone.
    let now = Date.now() + 10 * DAY;
    return {
      subject,
      key,
      pass: (ms: number) => {
        now += ms;
        return now;
      },
      order: async (order: Partial<Order>): Promise<Judged> => {
        await redis.set(`${key}:now`, now, 'EX', 600);
        const whole = { subject, requests: 0, reported: 0, judgesUnknown: true, notAfter: 0, ...order };
        const answer = decodeAnswer(subject, await redis.eval(TIMED, 1, key, ...encodeOrder(whole)));
        if (answer.state !== 'judged') throw new Error(answer.state);
        return answer;
      },
    };
  };

  test('judges any interleaving of requests and time as the rules in window.ts do', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({ minute: limit, day: limit }),
        fc.option(limit, { nil: undefined }),
        fc.array(step, { minLength: 10, maxLength: 60, size: 'max' }),
        async (windows, refusals, steps) => {
          const { subject, pass, order } = begin(windows, refusals);
          const tally: Tally = { windows: {} };
          for (const move of steps) {
            const now = pass('passMs' in move ? move.passMs : 0);
            if ('passMs' in move) continue;
            const expected = Array.from({ length: move.requests }, () => take(subject, tally, now).verdict);
            const judged = await order(move);
            expect(verdictsOf(subject, judged, move.requests)).toEqual(expected);
            expect(look(subject, judged.tally, now)).toEqual(look(subject, tally, now));
            expect(judged.tally.ban).toEqual(tally.ban);
          }
        },
      ),
      { numRuns: 150 },
    );
  }, 60_000);

  test('counts refusals that were served elsewhere like its own', async () => {
    const { order } = begin({ minute: 1, day: 100 }, 10);
    expect(await order({ requests: 2 })).toMatchObject({ admitted: 1, refused: 1 });
    expect((await order({ reported: 7 })).tally.refusals?.used).toBe(8);
    const last = await order({ requests: 3 });
    expect(last).toMatchObject({ admitted: 0, refused: 1 });
    expect(last.tally.ban).toBeDefined();
    expect((await order({ reported: 50 })).tally.ban).toEqual(last.tally.ban);
  });

  test('begins a ban with a refusal that was served elsewhere', async () => {
    const { order, pass } = begin({ minute: 1, day: 100 }, 10);
    await order({ requests: 1 });
    const { tally, isBanSaved } = await order({ reported: 10 });
    expect(tally.ban).toEqual({
      bannedAt: pass(0),
      until: pass(0) + 2 * MINUTE,
      forgottenAt: pass(0) + 2 * MINUTE + DAY,
    });
    expect(isBanSaved).toBe(false);
  });

  test('adds requests that were admitted elsewhere to the windows that are open', async () => {
    const { order, pass } = begin({ minute: 5, day: 100 });
    const { tally } = await order({ requests: 2 });
    const told = { windows: { minute: { used: 4, until: pass(0) + MINUTE } }, owed: { minute: 2 } };
    const { windows } = (await order({ told })).tally;
    expect([windows.minute?.used, windows.day]).toEqual([4, tally.windows.day]);
    pass(MINUTE);
    expect((await order({ told })).tally.windows.minute).toBeUndefined();
  });

  test('takes what it is told by a caller whose idea of the time runs ahead, and lets no window last longer for it', async () => {
    const ahead = 60;
    const known = begin({ minute: 5, day: 100 });
    await known.order({ requests: 2 });
    const toldTo = (pass: typeof known.pass) => ({
      windows: { minute: { used: 3, until: pass(0) + MINUTE + ahead } },
      owed: { minute: 3 },
    });
    expect((await known.order({ told: toldTo(known.pass) })).tally.windows.minute?.used).toBe(5);
    const unknown = begin({ minute: 5, day: 100 });
    const { windows } = (await unknown.order({ told: toldTo(unknown.pass) })).tally;
    expect(windows.minute).toEqual({ used: 3, until: unknown.pass(0) + MINUTE });
  });

  test('begins with what it is told of a subject that it does not know', async () => {
    const { order, pass } = begin({ minute: 5, day: 100 }, 5);
    const ban = { bannedAt: pass(0) - 3 * MINUTE, until: pass(0) - MINUTE, forgottenAt: pass(0) + DAY - MINUTE };
    const windows = { minute: { used: 5, until: pass(0) + 1000 }, day: { used: 50, until: pass(0) + DAY } };
    const judged = await order({ requests: 1, told: { ban, windows } });
    expect(judged).toMatchObject({ admitted: 0, refused: 1, isBanSaved: true, tally: { windows, ban } });
  });

  test('says that it does not know a subject, and counts nothing, unless told to judge it all the same', async () => {
    const { order, key } = begin({ minute: 5, day: 100 }, 5);
    await expect(order({ requests: 1, judgesUnknown: false })).rejects.toThrow('unknown');
    expect(await redis.exists(key)).toBe(0);
    await order({ requests: 1 });
    expect(await order({ requests: 1, judgesUnknown: false })).toMatchObject({ admitted: 1 });
  });

  test('does nothing for whoever has stopped waiting', async () => {
    const { order, key, pass } = begin({ minute: 5, day: 100 });
    await expect(order({ requests: 1, notAfter: pass(0) - 1 })).rejects.toThrow('late');
    expect(await redis.exists(key)).toBe(0);
    expect(await order({ requests: 1, notAfter: pass(0) })).toMatchObject({ admitted: 1 });
  });

  test('keeps a subject as long as anything of it matters, and no longer', async () => {
    const { order, key, pass } = begin({ minute: 1, day: 100 }, 2);
    await order({ requests: 1 });
    expect(await redis.pexpiretime(key)).toBe(pass(0) + DAY);
    await order({ requests: 2 });
    expect(await redis.pexpiretime(key)).toBe(pass(0) + 2 * MINUTE + DAY);
  });

  test('writes nothing for a look', async () => {
    const { order, key } = begin({ minute: 1, day: 100 }, 2);
    await order({});
    expect(await redis.exists(key)).toBe(0);
  });
});

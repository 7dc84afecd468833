import { beforeEach, describe, expect, test } from 'bun:test';
import type { createMemoryLimiter } from './limiter.memory.ts';
import type { Limiter } from './limiter.ts';
import type { Ban, Subject } from './window.ts';

type SuiteLimiter = Limiter & Pick<ReturnType<typeof createMemoryLimiter>, 'bannedUntil' | 'applyBan'>;
type SaveBan = (subject: Subject, ban: Ban) => Promise<void>;

export type LimiterHarness = {
  createLimiter(deps: { saveBan: SaveBan }): Promise<SuiteLimiter>;
  advance(ms: number): Promise<void>;
  setClock(byMs: number): Promise<void>;
};

const SHORT_MS = 200;
const LONG_MS = 60_000;

let subjects = 0;

const subject = (minute: [limit: number, lengthMs: number], day: [limit: number, lengthMs: number]): Subject => {
  subjects += 1;
  return {
    id: `suite-${process.pid}-${Date.now()}-${subjects}`,
    windows: [
      { name: 'minute', limit: minute[0], lengthMs: minute[1] },
      { name: 'day', limit: day[0], lengthMs: day[1] },
    ],
  };
};

const bannable = (): Subject => ({
  ...subject([1, SHORT_MS], [1000, LONG_MS]),
  ban: { refusals: 2, countedMs: LONG_MS, firstMs: SHORT_MS, longestMs: 4 * SHORT_MS, rememberedMs: LONG_MS },
});

export const limiterSuite = (harness: LimiterHarness): void => {
  let limiter: SuiteLimiter;
  let bans: { subjectId: string; lengthMs: number }[];
  let lastBan: Ban;
  beforeEach(async () => {
    bans = [];
    limiter = await harness.createLimiter({
      saveBan: async ({ id }, ban) => {
        bans.push({ subjectId: id, lengthMs: ban.until - ban.bannedAt });
        lastBan = ban;
      },
    });
  });

  const refusals = async (of: Subject, requests: number) => {
    const verdicts = await Promise.all(Array.from({ length: requests }, () => limiter.take(of)));
    return verdicts.map(({ refused }) => refused?.by ?? 'admitted');
  };
  const remaining = async (of: Subject) => (await limiter.peek(of)).windows.map((window) => window.remaining);

  describe('the windows of a limiter', () => {
    test('admit exactly the limit out of 1,000 requests that arrive together', async () => {
      const one = subject([137, LONG_MS], [10_000, LONG_MS]);
      const answers = await refusals(one, 1000);
      expect(answers.filter((answer) => answer === 'admitted')).toHaveLength(137);
      expect(answers.filter((answer) => answer === 'minute')).toHaveLength(863);
      expect(await remaining(one)).toEqual([0, 10_000 - 137]);
    });

    test('admit exactly the smaller of both limits out of 1,000 requests that arrive together', async () => {
      const one = subject([500, LONG_MS], [321, LONG_MS]);
      const answers = await refusals(one, 1000);
      expect(answers.filter((answer) => answer === 'admitted')).toHaveLength(321);
      expect(answers.filter((answer) => answer === 'day')).toHaveLength(679);
      expect(await remaining(one)).toEqual([500 - 321, 0]);
    });

    test('show the remaining requests with each admitted request', async () => {
      const one = subject([3, LONG_MS], [5, LONG_MS]);
      const { windows, refused } = await limiter.take(one);
      expect(refused).toBeUndefined();
      expect(windows).toEqual([
        { name: 'minute', limit: 3, lengthMs: LONG_MS, used: 1, remaining: 2, resetAt: expect.any(Number) },
        { name: 'day', limit: 5, lengthMs: LONG_MS, used: 1, remaining: 4, resetAt: expect.any(Number) },
      ]);
      expect((await limiter.take(one)).windows.map((window) => window.remaining)).toEqual([1, 3]);
    });

    test('keep their end from the first counted request to the last', async () => {
      const one = subject([3, LONG_MS], [5, LONG_MS]);
      const ends = (await limiter.take(one)).windows.map(({ resetAt }) => resetAt);
      await harness.advance(50);
      expect((await limiter.take(one)).windows.map(({ resetAt }) => resetAt)).toEqual(ends);
      expect((await limiter.peek(one)).windows.map(({ resetAt }) => resetAt)).toEqual(ends);
    });

    test('count nothing for a peek', async () => {
      const one = subject([3, LONG_MS], [5, LONG_MS]);
      for (let looks = 0; looks < 10; looks += 1) expect(await remaining(one)).toEqual([3, 5]);
    });

    test('do not count a refused request', async () => {
      const one = subject([2, SHORT_MS], [3, LONG_MS]);
      expect(await refusals(one, 10)).toEqual(['admitted', 'admitted', ...Array(8).fill('minute')]);
      await harness.advance(SHORT_MS);
      expect(await refusals(one, 2)).toEqual(['admitted', 'day']);
      expect(await remaining(one)).toEqual([1, 0]);
    });

    test('admit a costly request only if enough requests remain for it, and otherwise count nothing', async () => {
      const one = subject([10, LONG_MS], [1000, LONG_MS]);
      expect((await limiter.take(one, 9)).windows.map(({ remaining }) => remaining)).toEqual([1, 991]);
      const { refused, windows } = await limiter.take(one, 2);
      expect([refused?.by, windows[0]?.remaining]).toEqual(['minute', 1]);
      expect((await limiter.take(one, 1)).refused).toBeUndefined();
      expect(await remaining(one)).toEqual([0, 990]);
    });

    test('admit exactly as many of 500 concurrent requests of various costs as fit', async () => {
      const one = subject([1000, LONG_MS], [10_000, LONG_MS]);
      const costs = Array.from({ length: 500 }, (_, index) => [1, 3, 10][index % 3] as number);
      const verdicts = await Promise.all(costs.map((cost) => limiter.take(one, cost)));
      const paid = costs.filter((_, index) => !verdicts[index]?.refused).reduce((sum, cost) => sum + cost, 0);
      expect(await remaining(one)).toEqual([1000 - paid, 10_000 - paid]);
      expect(paid).toBeGreaterThan(990);
      expect(paid).toBeLessThanOrEqual(1000);
    });

    test('open again when they have ended', async () => {
      const one = subject([2, SHORT_MS], [4, 2 * SHORT_MS]);
      expect(await refusals(one, 3)).toEqual(['admitted', 'admitted', 'minute']);
      await harness.advance(SHORT_MS);
      expect(await refusals(one, 3)).toEqual(['admitted', 'admitted', 'day']);
      await harness.advance(SHORT_MS);
      expect(await refusals(one, 3)).toEqual(['admitted', 'admitted', 'minute']);
    });

    test('report the day and its end if both are used up', async () => {
      const one = subject([1, LONG_MS], [1, 2 * LONG_MS]);
      const day = (await limiter.take(one)).windows[1];
      expect((await limiter.take(one)).refused).toEqual({ by: 'day', until: day?.resetAt as number });
    });

    test('of different subjects are independent', async () => {
      const one = subject([1, LONG_MS], [1, LONG_MS]);
      const other = subject([1, LONG_MS], [1, LONG_MS]);
      await refusals(one, 5);
      expect(await remaining(other)).toEqual([1, 1]);
      expect(await refusals(other, 1)).toEqual(['admitted']);
    });

    test('keep their counts when the clock is set back, for at most their own length', async () => {
      const one = subject([1, SHORT_MS], [2, LONG_MS]);
      expect(await refusals(one, 2)).toEqual(['admitted', 'minute']);
      await harness.setClock(-3 * LONG_MS);
      expect(await refusals(one, 1)).toEqual(['minute']);
      await harness.advance(SHORT_MS);
      expect(await refusals(one, 2)).toEqual(['admitted', 'day']);
      await harness.advance(LONG_MS - SHORT_MS);
      expect(await refusals(one, 1)).toEqual(['admitted']);
    });

    test('keep their counts when the limits of the subject change', async () => {
      const one = subject([5, LONG_MS], [8, LONG_MS]);
      await refusals(one, 5);
      const changed = (perMinute: number): Subject => ({
        ...one,
        windows: one.windows.map((rule) => (rule.name === 'minute' ? { ...rule, limit: perMinute } : rule)),
      });
      expect(await remaining(changed(2))).toEqual([0, 3]);
      expect(await refusals(changed(7), 3)).toEqual(['admitted', 'admitted', 'minute']);
    });
  });

  describe('the bans of a limiter', () => {
    test('begin with the refusal that reaches the threshold', async () => {
      const one = bannable();
      expect(await refusals(one, 4)).toEqual(['admitted', 'minute', 'ban', 'ban']);
      expect(bans).toEqual([{ subjectId: one.id, lengthMs: SHORT_MS }]);
    });

    test('are saved once for 1,000 concurrent requests', async () => {
      const one: Subject = { ...bannable(), windows: subject([100, LONG_MS], [1000, LONG_MS]).windows };
      const answers = await refusals(one, 1000);
      expect(answers.filter((answer) => answer === 'admitted')).toHaveLength(100);
      expect(answers.filter((answer) => answer === 'minute')).toHaveLength(1);
      expect(answers.filter((answer) => answer === 'ban')).toHaveLength(899);
      expect(bans).toHaveLength(1);
    });

    test('end on time, and are not prolonged by requests made meanwhile', async () => {
      const one = bannable();
      await refusals(one, 3);
      await harness.advance(SHORT_MS / 2);
      expect(await refusals(one, 5)).toEqual(Array(5).fill('ban'));
      await harness.advance(SHORT_MS / 2);
      expect(await refusals(one, 1)).toEqual(['admitted']);
    });

    test('are not lifted by a clock that is set back, or by one that is then corrected', async () => {
      const one = bannable();
      expect(await refusals(one, 3)).toEqual(['admitted', 'minute', 'ban']);
      await harness.setClock(-3 * LONG_MS);
      expect(await refusals(one, 2)).toEqual(['ban', 'ban']);
      expect(limiter.bannedUntil(one.id)).toBeNumber();
      await harness.setClock(3 * LONG_MS);
      expect(await refusals(one, 2)).toEqual(['ban', 'ban']);
      await harness.advance(SHORT_MS);
      expect(await refusals(one, 1)).toEqual(['admitted']);
      expect(bans).toHaveLength(1);
    });

    test('last twice as long each time, up to the longest', async () => {
      const one = bannable();
      for (const lengthMs of [SHORT_MS, 2 * SHORT_MS, 4 * SHORT_MS, 4 * SHORT_MS]) {
        expect(await refusals(one, 3)).toEqual(['admitted', 'minute', 'ban']);
        expect(bans.at(-1)).toEqual({ subjectId: one.id, lengthMs });
        await harness.advance(lengthMs);
      }
    });

    test('end when they are lifted, and the next ban lasts as long as the first', async () => {
      const one: Subject = {
        ...subject([1, LONG_MS], [1000, LONG_MS]),
        ban: { refusals: 2, countedMs: LONG_MS, firstMs: 9000, longestMs: LONG_MS, rememberedMs: LONG_MS },
      };
      expect(await refusals(one, 3)).toEqual(['admitted', 'minute', 'ban']);
      expect(limiter.bannedUntil(one.id)).toBe(lastBan.until);
      await harness.advance(5000);
      await limiter.applyBan(one.id, { ...lastBan, until: lastBan.bannedAt });
      expect(limiter.bannedUntil(one.id)).toBeUndefined();
      await limiter.peek(one);
      expect(limiter.bannedUntil(one.id)).toBeUndefined();
      expect(await refusals(one, 3)).toEqual(['minute', 'ban', 'ban']);
      expect(bans.map(({ lengthMs }) => lengthMs)).toEqual([9000, 9000]);
    });

    test('do not end when an earlier ban is lifted late', async () => {
      const one = bannable();
      await refusals(one, 3);
      const first = lastBan;
      await harness.advance(SHORT_MS);
      await harness.advance(LONG_MS / 2);
      expect(await refusals(one, 3)).toEqual(['admitted', 'minute', 'ban']);
      await limiter.applyBan(one.id, { ...first, until: first.bannedAt });
      expect(await refusals(one, 1)).toEqual(['ban']);
    });

    test('are not shown to any caller before they are saved', async () => {
      const saved = Promise.withResolvers<void>();
      const careful = await harness.createLimiter({ saveBan: () => saved.promise });
      const one = bannable();
      await careful.take(one);
      await careful.take(one);
      const seen: string[] = [];
      const both = [1, 2].map(async () => seen.push((await careful.take(one)).refused?.by ?? 'admitted'));
      // If the two requests did not wait for the ban to be saved, they would be answered while this call is waiting.
      await careful.peek(subject([1, LONG_MS], [1, LONG_MS]));
      expect(seen).toEqual([]);
      expect(careful.bannedUntil(one.id)).toBeUndefined();
      saved.resolve();
      await Promise.all(both);
      expect(seen).toEqual(['ban', 'ban']);
      expect(careful.bannedUntil(one.id)).toBeNumber();
    });
  });
};

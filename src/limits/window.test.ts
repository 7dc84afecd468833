import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  type Ban,
  banOf,
  isForgettable,
  isLifted,
  peek,
  type Subject,
  supersedes,
  type Tally,
  take,
  type WindowName,
} from './window.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const subject = (perMinute: number, perDay: number): Subject => ({
  id: 'one',
  windows: [
    { name: 'minute', limit: perMinute, lengthMs: MINUTE },
    { name: 'day', limit: perDay, lengthMs: DAY },
  ],
});

const bannable = (perMinute: number, perDay = 1_000_000): Subject => ({
  ...subject(perMinute, perDay),
  ban: { refusals: perMinute, countedMs: MINUTE, firstMs: 2 * MINUTE, longestMs: DAY, rememberedMs: DAY },
});

const begin = (of: Subject, now = 1_000_000) => {
  const tally: Tally = { windows: {} };
  return {
    tally,
    at: (ms: number) => {
      now += ms;
      return now;
    },
    take: () => take(of, tally, now),
    refusedBy: () => take(of, tally, now).verdict.refused?.by,
    peek: () => peek(of, tally, now),
  };
};

const usedAt = (admitted: readonly number[], lengthMs: number, now: number): number => {
  let opened = Number.NEGATIVE_INFINITY;
  let used = 0;
  for (const at of admitted) {
    used = at < opened + lengthMs ? used + 1 : 1;
    if (used === 1) opened = at;
  }
  return now < opened + lengthMs ? used : 0;
};

const step = fc.oneof(
  { weight: 4, arbitrary: fc.constant('request' as const) },
  { weight: 1, arbitrary: fc.constantFrom(0, 1, MINUTE - 1, MINUTE, MINUTE + 1, 2 * MINUTE, DAY - 1, DAY) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 2 * MINUTE }) },
);
const steps = fc.array(step, { minLength: 20, maxLength: 200, size: 'max' });
const limit = fc.integer({ min: 1, max: 12 });

describe('any interleaving of requests and time', () => {
  test('admits exactly as many requests per fixed window as the limit, and counts no refused one', () => {
    fc.assert(
      fc.property(limit, limit, steps, (perMinute, perDay, moves) => {
        const one = begin(subject(perMinute, perDay));
        const admitted: number[] = [];
        for (const move of moves) {
          const now = one.at(move === 'request' ? 0 : move);
          if (move !== 'request') continue;
          const minuteFull = usedAt(admitted, MINUTE, now) >= perMinute;
          const dayFull = usedAt(admitted, DAY, now) >= perDay;
          const expected: WindowName | undefined = dayFull ? 'day' : minuteFull ? 'minute' : undefined;
          const refusedBy = one.refusedBy();
          if (refusedBy === undefined) admitted.push(now);
          expect(refusedBy).toBe(expected);
          expect(one.peek().windows.map(({ remaining }) => remaining)).toEqual([
            perMinute - usedAt(admitted, MINUTE, now),
            perDay - usedAt(admitted, DAY, now),
          ]);
        }
      }),
    );
  });

  test('never admits more than the limit, and nothing while a ban lasts', () => {
    fc.assert(
      fc.property(limit, limit, steps, (perMinute, perDay, moves) => {
        const one = begin(bannable(perMinute, perDay));
        const admitted: number[] = [];
        let bannedUntil = 0;
        for (const move of moves) {
          const now = one.at(move === 'request' ? 0 : move);
          if (move !== 'request') continue;
          const { verdict, began } = one.take();
          if (began) bannedUntil = began.until;
          expect(verdict.refused?.by === 'ban').toBe(now < bannedUntil);
          if (!verdict.refused) admitted.push(now);
          expect(usedAt(admitted, MINUTE, now)).toBeLessThanOrEqual(perMinute);
          expect(usedAt(admitted, DAY, now)).toBeLessThanOrEqual(perDay);
        }
      }),
    );
  });
});

describe('a window', () => {
  test('opens with the first request counted in it and ends a fixed length later', () => {
    const one = begin(subject(1, 10));
    one.at(5 * MINUTE);
    const [minute] = one.take().verdict.windows;
    expect(minute?.resetAt).toBe(one.at(0) + MINUTE);
    one.at(MINUTE - 1);
    expect(one.refusedBy()).toBe('minute');
    one.at(1);
    expect(one.refusedBy()).toBeUndefined();
  });

  test('continues when the clock is set back, and ends no later than one opened then', () => {
    const one = begin(subject(1, 10));
    one.take();
    one.at(-5 * DAY);
    const [minuteEnds, dayEnds] = [one.at(0) + MINUTE, one.at(0) + DAY];
    expect(one.peek().windows.map(({ used, resetAt }) => [used, resetAt])).toEqual([
      [1, minuteEnds],
      [1, dayEnds],
    ]);
    expect(one.refusedBy()).toBe('minute');
    one.at(MINUTE - 1);
    expect(one.take().verdict.refused).toEqual({ by: 'minute', until: minuteEnds });
    one.at(1);
    expect(one.refusedBy()).toBeUndefined();
    expect(one.peek().windows.map(({ used, resetAt }) => [used, resetAt])).toEqual([
      [1, one.at(0) + MINUTE],
      [2, dayEnds],
    ]);
  });

  test('shows the remaining requests, unchanged by a refusal', () => {
    const one = begin(subject(2, 5));
    const shown = () => one.take().verdict.windows.map(({ used, remaining }) => [used, remaining]);
    expect([shown(), shown(), shown()]).toEqual([
      [
        [1, 1],
        [1, 4],
      ],
      [
        [2, 0],
        [2, 3],
      ],
      [
        [2, 0],
        [2, 3],
      ],
    ]);
  });

  test('shows its full limit before anything is counted', () => {
    const one = begin(subject(3, 10));
    expect(one.peek().windows).toEqual([
      { name: 'minute', limit: 3, lengthMs: MINUTE, used: 0, remaining: 3, resetAt: one.at(0) + MINUTE },
      { name: 'day', limit: 10, lengthMs: DAY, used: 0, remaining: 10, resetAt: one.at(0) + DAY },
    ]);
    expect(one.tally).toEqual({ windows: {} });
  });

  test('keeps its count when the limit changes, and never shows a negative remainder', () => {
    const { tally, at, take: spend } = begin(subject(5, 10));
    for (let sent = 0; sent < 5; sent += 1) spend();
    expect(peek(subject(8, 10), tally, at(0)).windows.map(({ remaining }) => remaining)).toEqual([3, 5]);
    expect(peek(subject(2, 4), tally, at(0)).windows.map(({ remaining }) => remaining)).toEqual([0, 0]);
  });

  test('reports the day and its end if minute and day are both used up', () => {
    const one = begin(subject(2, 2));
    one.take();
    one.take();
    expect(one.take().verdict.refused).toEqual({ by: 'day', until: one.at(0) + DAY });
  });
});

describe('a ban', () => {
  test('begins when the refusals reach the per-minute limit', () => {
    const one = begin(bannable(3));
    const answers = Array.from({ length: 6 }, () => one.refusedBy() ?? 'admitted');
    expect(answers).toEqual(['admitted', 'admitted', 'admitted', 'minute', 'minute', 'ban']);
  });

  test('is returned as new only by the request that caused it', () => {
    const one = begin(bannable(1));
    expect(one.take().began).toBeUndefined();
    const until = one.at(0) + 2 * MINUTE;
    expect(one.take().began).toEqual({ bannedAt: one.at(0), until, forgottenAt: until + DAY });
    expect(one.take().began).toBeUndefined();
  });

  test('does not begin if the refusals fall into two different minutes', () => {
    const one = begin(bannable(2, 2));
    one.take();
    one.take();
    expect(one.refusedBy()).toBe('day');
    one.at(MINUTE);
    expect(one.refusedBy()).toBe('day');
    expect(one.refusedBy()).toBe('ban');
  });

  test('never applies to a subject without a ban rule', () => {
    const one = begin(subject(1, 10));
    const answers = Array.from({ length: 50 }, () => one.refusedBy() ?? 'admitted');
    expect(answers.slice(1)).toEqual(Array(49).fill('minute'));
  });

  test('is not prolonged by requests during it', () => {
    const one = begin(bannable(1));
    one.take();
    const until = one.take().began?.until;
    for (let second = 1; second < 120; second += 1) {
      one.at(1000);
      expect(one.take().verdict.refused).toEqual({ by: 'ban', until: until as number });
    }
    one.at(999);
    expect(one.refusedBy()).toBe('ban');
    one.at(1);
    expect(one.refusedBy()).toBeUndefined();
  });

  test('continues when the clock is set back, and lasts no longer than if it began then', () => {
    const one = begin(bannable(1));
    one.take();
    one.take();
    one.at(-5 * DAY);
    const until = one.at(0) + 2 * MINUTE;
    expect(banOf(one.tally, one.at(0))?.until).toBe(until);
    expect(one.take()).toMatchObject({ verdict: { refused: { by: 'ban', until } } });
    one.at(2 * MINUTE - 1);
    expect(one.take().verdict.refused).toEqual({ by: 'ban', until });
    one.at(1);
    expect(one.refusedBy()).toBeUndefined();
    expect(one.take().began?.until).toBe(one.at(0) + 4 * MINUTE);
  });

  test.each([1, 5 * DAY])('that begins %d ms in the future is moved to now', (laterMs) => {
    const one = begin(bannable(1));
    const [now, begins] = [one.at(0), one.at(0) + laterMs];
    one.tally.ban = { bannedAt: begins, until: begins + MINUTE, forgottenAt: begins + DAY };
    expect(one.refusedBy()).toBe('ban');
    expect(one.tally.ban).toEqual({ bannedAt: now, until: now + MINUTE, forgottenAt: now + DAY });
  });

  test('does not count refusals older than a minute, even if the clock was set back', () => {
    const one = begin(bannable(3, 1));
    one.take();
    expect([one.refusedBy(), one.at(-5 * MINUTE) && one.refusedBy()]).toEqual(['day', 'day']);
    one.at(MINUTE);
    expect([one.refusedBy(), one.refusedBy(), one.refusedBy()]).toEqual(['day', 'day', 'ban']);
  });

  test('counts refusals from before the clock was set back', () => {
    const one = begin(bannable(2, 2));
    one.take();
    one.take();
    expect(one.refusedBy()).toBe('day');
    one.at(-5 * DAY);
    expect(one.refusedBy()).toBe('ban');
  });

  test('lasts twice as long each time, up to 24 hours', () => {
    const one = begin(bannable(1));
    const minutes: number[] = [];
    for (let ban = 0; ban < 13; ban += 1) {
      one.take();
      const { until = 0 } = one.take().began ?? {};
      minutes.push((until - one.at(0)) / MINUTE);
      one.at(until - one.at(0));
    }
    expect(minutes).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 1440, 1440, 1440]);
  });

  test.each([
    ['is remembered until 24 hours after its end', DAY - 1, 4 * MINUTE],
    ['is forgotten 24 hours after its end', DAY, 2 * MINUTE],
  ])('%s', (_, pauseMs, lengthMs) => {
    const one = begin(bannable(1));
    one.take();
    one.take();
    one.at(2 * MINUTE + pauseMs);
    one.take();
    expect(one.take().began?.until).toBe(one.at(0) + lengthMs);
  });

  test('resets the refusals that led to it, even if it ends before their minute', () => {
    const short = bannable(2, 1);
    const one = begin({ ...short, ban: { ...(short.ban as NonNullable<Subject['ban']>), firstMs: 1000 } });
    one.take();
    expect([one.refusedBy(), one.refusedBy()]).toEqual(['day', 'ban']);
    one.at(1000);
    expect([one.refusedBy(), one.refusedBy()]).toEqual(['day', 'ban']);
  });

  test('resets the refusals that led to it', () => {
    const one = begin(bannable(2, 2));
    one.take();
    one.take();
    expect([one.refusedBy(), one.refusedBy()]).toEqual(['day', 'ban']);
    one.at(2 * MINUTE);
    expect([one.refusedBy(), one.refusedBy()]).toEqual(['day', 'ban']);
  });
});

describe('of two bans', () => {
  const ban = (bannedAt: number, until: number): Ban => ({ bannedAt, until, forgottenAt: until + DAY });

  test('one without a length is lifted', () => {
    expect([ban(100, 99), ban(100, 100), ban(100, 101)].map(isLifted)).toEqual([true, true, false]);
  });

  test('the later one applies, and for the same ban the earlier end', () => {
    expect(supersedes(ban(100, 200), undefined)).toBe(true);
    expect(supersedes(ban(101, 150), ban(100, 200))).toBe(true);
    expect(supersedes(ban(99, 300), ban(100, 200))).toBe(false);
    expect(supersedes(ban(99, 150), ban(100, 200))).toBe(false);
    expect(supersedes(ban(100, 199), ban(100, 200))).toBe(true);
    expect(supersedes(ban(100, 200), ban(100, 200))).toBe(false);
    expect(supersedes(ban(100, 201), ban(100, 200))).toBe(false);
  });
});

describe('a tally', () => {
  test('can be removed once its windows have ended', () => {
    const one = begin(subject(5, 5));
    one.take();
    expect(isForgettable(one.tally, one.at(DAY - 1))).toBe(false);
    expect(isForgettable(one.tally, one.at(1))).toBe(true);
  });

  test('is kept while its refusals are counted', () => {
    expect(isForgettable({ windows: {}, refusals: { used: 1, until: 100 } }, 99)).toBe(false);
    expect(isForgettable({ windows: {}, refusals: { used: 1, until: 100 } }, 100)).toBe(true);
  });

  test('is kept while its last ban is remembered', () => {
    const ban = { bannedAt: 0, until: 100, forgottenAt: 200 };
    expect(isForgettable({ windows: {}, ban }, 199)).toBe(false);
    expect(isForgettable({ windows: {}, ban }, 200)).toBe(true);
  });
});

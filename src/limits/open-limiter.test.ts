import { describe, expect, test } from 'bun:test';
import { byClockBehind, lastBeginning } from './open-limiter.ts';
import type { Tally } from './window.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const NOW = 100 * DAY;

describe('the latest stored start', () => {
  test.each<[string, Tally]>([
    ['a minute', { windows: { minute: { used: 1, until: NOW + MINUTE } } }],
    ['a day', { windows: { day: { used: 1, until: NOW + DAY } } }],
    ['counted refusals', { windows: {}, refusals: { used: 1, until: NOW + MINUTE } }],
    ['a ban', { windows: {}, ban: { bannedAt: NOW, until: NOW + 1, forgottenAt: NOW + DAY } }],
  ])('is that of %s', (_, tally) => {
    const earlier: Tally = { windows: { minute: { used: 1, until: NOW + MINUTE - 1 } } };
    const tallies = new Map([
      ['earlier', earlier],
      ['latest', tally],
      ['earlier still', earlier],
    ]);
    expect(lastBeginning(tallies)).toBe(NOW);
  });

  test('is earlier than any time if nothing is stored', () => {
    expect(lastBeginning(new Map())).toBe(Number.NEGATIVE_INFINITY);
  });
});

describe('on a clock that is behind', () => {
  const windows = [{ name: 'minute' as const, limit: 3, lengthMs: MINUTE, used: 1, remaining: 2, resetAt: NOW }];
  const [window] = windows;
  const earlier = [{ ...window, resetAt: NOW - 5 }];

  test('every time is earlier by the difference, and nothing else changes', () => {
    expect(byClockBehind({ windows }, 5)).toEqual({ windows: earlier } as never);
    expect(byClockBehind({ windows, bannedUntil: NOW }, 5)).toEqual({
      windows: earlier,
      bannedUntil: NOW - 5,
    } as never);
    expect(byClockBehind({ windows, refused: { by: 'ban', until: NOW } }, 5)).toEqual({
      windows: earlier,
      refused: { by: 'ban', until: NOW - 5 },
    } as never);
  });

  test('nothing changes if there is no difference', () => {
    const verdict = { windows };
    expect(byClockBehind(verdict, 0)).toBe(verdict);
  });
});

import { describe, expect, test } from 'bun:test';
import { byClockBehind } from './open-limiter.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const NOW = 100 * DAY;

describe('on a clock that is behind', () => {
  const windows = [{ name: 'minute' as const, limit: 3, lengthMs: MINUTE, used: 1, remaining: 2, resetAt: NOW }];
  const [window] = windows;
  const earlier = [{ ...window, resetAt: NOW - 5 }];

  test('every time is earlier by the difference, and nothing else changes', () => {
    expect(byClockBehind({ windows }, 5)).toEqual({ windows: earlier } as never);
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

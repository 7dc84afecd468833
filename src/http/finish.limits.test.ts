import { describe, expect, test } from 'bun:test';
import type { Verdict, WindowView } from '../limits/window.ts';
import { addLimits } from './finish.ts';

const NOW = 1_000_000_000_000;

const minute = (remaining: number, resetAt = NOW + 30_500): WindowView => ({
  name: 'minute',
  limit: 60,
  lengthMs: 60_000,
  used: 60 - remaining,
  remaining,
  resetAt,
});
const day = (remaining: number, resetAt = NOW + 3_600_000): WindowView => ({
  name: 'day',
  limit: 1_000,
  lengthMs: 86_400_000,
  used: 1_000 - remaining,
  remaining,
  resetAt,
});

const limitHeaders = (verdict: Verdict, now: number): Record<string, string> => {
  const headers: Record<string, string> = {};
  addLimits(headers, verdict, now);
  return headers;
};

const shown = (headers: Record<string, string>) =>
  ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'].map((name) => headers[name]);

describe('the X-RateLimit headers', () => {
  test('describe the window with the fewest requests left', () => {
    expect(shown(limitHeaders({ windows: [minute(12), day(700)] }, NOW))).toEqual(['60', '12', '1000000031']);
    expect(shown(limitHeaders({ windows: [minute(12), day(11)] }, NOW))).toEqual(['1000', '11', '1000003600']);
  });

  test('describe the minute if both windows have the same number left', () => {
    expect(shown(limitHeaders({ windows: [minute(11), day(11)] }, NOW))).toEqual(['60', '11', '1000000031']);
  });

  test('give the reset in whole seconds, rounded up', () => {
    const reset = (at: number) => shown(limitHeaders({ windows: [minute(1, at)] }, NOW))[2];
    expect([reset(NOW + 1), reset(NOW + 1_000), reset(NOW + 1_001)]).toEqual([
      '1000000001',
      '1000000001',
      '1000000002',
    ]);
  });

  test('describe the day if it refused the request, even if the minute is also used up', () => {
    const verdict = { windows: [minute(0), day(0)], refused: { by: 'day' as const, until: NOW + 3_600_000 } };
    expect(shown(limitHeaders(verdict, NOW))).toEqual(['1000', '0', '1000003600']);
  });

  test('describe the minute if it refused the request', () => {
    const verdict = { windows: [minute(0), day(0)], refused: { by: 'minute' as const, until: NOW + 30_500 } };
    expect(shown(limitHeaders(verdict, NOW))).toEqual(['60', '0', '1000000031']);
  });

  test('describe a ban with the limit of the minute, 0 remaining, and its end', () => {
    const verdict = { windows: [minute(60), day(700)], refused: { by: 'ban' as const, until: NOW + 120_000 } };
    expect(shown(limitHeaders(verdict, NOW))).toEqual(['60', '0', '1000000120']);
  });
});

describe('the RateLimit headers', () => {
  test('show both windows in the format of the IETF draft', () => {
    const headers = limitHeaders({ windows: [minute(12), day(700)] }, NOW);
    expect(headers['RateLimit-Policy']).toBe('"minute";q=60;w=60, "day";q=1000;w=86400');
    expect(headers.RateLimit).toBe('"minute";r=12;t=31, "day";r=700;t=3600');
  });

  test('show one window if there is only one', () => {
    const headers = limitHeaders({ windows: [minute(0)] }, NOW);
    expect(headers['RateLimit-Policy']).toBe('"minute";q=60;w=60');
    expect(headers.RateLimit).toBe('"minute";r=0;t=31');
  });

  test('never show a negative time', () => {
    expect(limitHeaders({ windows: [minute(5, NOW - 5_000)] }, NOW).RateLimit).toBe('"minute";r=5;t=0');
  });
});

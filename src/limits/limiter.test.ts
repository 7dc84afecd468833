import { describe, expect, test } from 'bun:test';
import { refuseOverLimit } from './limiter.ts';

const NOW = 1_000_000;

describe('a refusal over a limit', () => {
  const waits: [number, number][] = [
    [60_000, 60],
    [59_001, 60],
    [1_000, 1],
    [1, 1],
    [0, 1],
    [-5_000, 1],
  ];
  test.each(waits)('for %d ms gives %d seconds, rounded up and at least 1', (ms, retryAfterSeconds) => {
    const refuse = () => refuseOverLimit({ refused: { by: 'minute', until: NOW + ms }, windows: [] }, NOW);
    const wait = retryAfterSeconds === 1 ? 'in 1 second.' : `in ${retryAfterSeconds} seconds.`;
    expect(refuse).toThrow(expect.objectContaining({ code: 'rate_limit_exceeded', retryAfterSeconds }));
    expect(refuse).toThrow(wait);
  });

  test('shows how many requests remain if the request costs more than that', () => {
    const day = { name: 'day' as const, limit: 9, lengthMs: 1, used: 7, remaining: 2, resetAt: NOW };
    const refuse = (remaining: number) =>
      refuseOverLimit({ refused: { by: 'day', until: NOW }, windows: [{ ...day, remaining }] }, NOW);
    expect(() => refuse(2)).toThrow('costs more than the 2 requests remaining for the current day. Try again');
    expect(() => refuse(1)).toThrow('the 1 request remaining for the current day. Try again');
    expect(() => refuse(0)).toThrow('You have reached the limit of 9 requests per day.');
  });

  const codes = [
    ['minute', 'rate_limit_exceeded'],
    ['day', 'daily_quota_exceeded'],
    ['ban', 'api_key_banned'],
  ] as const;
  test.each(codes)('by the %s has the code %s', (by, code) => {
    expect(() => refuseOverLimit({ refused: { by, until: NOW }, windows: [] }, NOW)).toThrow(
      expect.objectContaining({ code, message: expect.not.stringContaining('counts as more') }),
    );
  });

  test('does not occur for an admitted request', () => {
    expect(() => refuseOverLimit({ windows: [] }, NOW)).not.toThrow();
  });
});

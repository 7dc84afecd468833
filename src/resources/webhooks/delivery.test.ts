import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  deliveryBody,
  deliveryIdText,
  FAILING_MS,
  LATEST_RETRY_MS,
  nextAttemptAt,
  toDeliveryBody,
} from './delivery.ts';

const NOW = 1_800_000_000_000;
const SECOND = 1000;
const HOUR = 3600 * SECOND;
const plain = { retryAfterMs: undefined };
const waitAfter = (attempt: number, retryAfterMs?: number, random = 0.5) => {
  const at = nextAttemptAt(attempt, { retryAfterMs }, NOW, random);
  return at === undefined ? undefined : at - NOW;
};

describe('the retry schedule', () => {
  const waits: [number, number][] = [
    [1, 5 * SECOND],
    [2, 300 * SECOND],
    [3, 1800 * SECOND],
    [4, 2 * HOUR],
    [5, 5 * HOUR],
    [6, 10 * HOUR],
    [7, 14 * HOUR],
    [8, 20 * HOUR],
    [9, 24 * HOUR],
  ];
  test.each(waits)('waits after failure %i for %i ms, plus or minus a fifth', (attempt, wait) => {
    expect(waitAfter(attempt)).toBe(wait);
    expect(waitAfter(attempt, undefined, 0)).toBe(wait * 0.8);
    expect(waitAfter(attempt, undefined, 1 - Number.EPSILON)).toBe(wait * 1.2);
  });

  test('has no retry more than 48 hours ahead', () => {
    expect(LATEST_RETRY_MS).toBe(48 * HOUR);
    for (const [, wait] of waits) expect(wait * 1.2).toBeLessThan(LATEST_RETRY_MS);
  });

  test('ends with the tenth attempt', () => {
    expect(nextAttemptAt(10, plain, NOW, 0.5)).toBeUndefined();
    expect(nextAttemptAt(10, { retryAfterMs: 1000 }, NOW, 0.5)).toBeUndefined();
  });

  test('spreads each wait by up to a fifth', () => {
    fc.assert(
      fc.property(fc.constantFrom(...waits), fc.double({ min: 0, max: 1, noNaN: true }), ([attempt, wait], random) => {
        const given = waitAfter(attempt, undefined, random) as number;
        expect(Number.isInteger(given)).toBeTrue();
        expect(Math.abs(given - wait)).toBeLessThanOrEqual(wait * 0.2 + 1);
        expect(Math.abs(given - wait * (0.8 + 0.4 * random))).toBeLessThanOrEqual(1);
      }),
    );
  });

  test('honours a Retry-After that is longer than the wait', () => {
    expect(waitAfter(1, 60 * SECOND)).toBe(60 * SECOND);
    expect(waitAfter(9, 24 * HOUR, 0)).toBe(24 * HOUR);
  });

  test('ignores a Retry-After that is shorter', () => {
    expect(waitAfter(2, 10 * SECOND)).toBe(300 * SECOND);
    expect(waitAfter(2, 0)).toBe(300 * SECOND);
  });

  test('limits Retry-After to a day', () => {
    expect(waitAfter(1, 365 * 24 * HOUR)).toBe(24 * HOUR);
  });
});

test('a delivery has exactly the documented fields', () => {
  const blank = { responseStatus: null, responseBody: null, durationMs: null, attemptedAt: null };
  const ids = { id: 'dlv_1', eventId: 'evt_1', attempt: 0, state: 'pending' as const };
  expect(toDeliveryBody({ ...ids, ...blank, sequence: 7n, nextAttemptAt: NOW, createdAt: NOW })).toEqual({
    ...ids,
    sequence: 7,
    ...blank,
    nextAttemptAt: '2027-01-15T08:00:00.000Z',
  });
});

test('a delivery is pending, delivered or failed, counts from 0, and has an id with its own prefix', () => {
  const { state, attempt } = deliveryBody.shape;
  expect(state.options).toEqual(['pending', 'delivered', 'failed']);
  expect([0, -1].map((count) => attempt.safeParse(count).success)).toEqual([true, false]);
  const ids = [`dlv_${'a'.repeat(24)}`, `dlv_${'a'.repeat(23)}`, `evt_${'a'.repeat(24)}`];
  expect(ids.map((id) => deliveryIdText.safeParse(id).success)).toEqual([true, false, false]);
});

test('an endpoint may fail for five days', () => {
  expect(FAILING_MS).toBe(120 * HOUR);
});

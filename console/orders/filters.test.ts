import { describe, expect, test } from 'bun:test';
import { hasFilters, isIn, rangeOf, readFilters } from './filters.ts';
import type { OrderRow } from './moves.ts';

const NOW = new Date(2026, 10, 18, 15, 30).getTime();
const placed = (day: number, hour: number) => ({ placedAt: new Date(2026, 10, day, hour).toISOString() }) as OrderRow;
const filters = (query: string) => readFilters(new URLSearchParams(query));

describe('the filters of the order list', () => {
  test('come from the URL, and ignore unknown values', () => {
    expect(filters('q=Luna&status=cancelled&when=yesterday')).toEqual({
      q: 'Luna',
      status: 'cancelled',
      when: 'yesterday',
      from: '',
      to: '',
    });
    const none = filters('status=lost&when=ever');
    expect([none.status, none.when, hasFilters(none)]).toEqual([undefined, 'any', false]);
    expect(hasFilters(filters('status=placed'))).toBe(true);
  });

  test.each([
    ['when=today', [17, 23], [18, 0]],
    ['when=yesterday', [18, 0], [17, 0]],
    ['when=week', [11, 23], [12, 0]],
    ['when=custom&from=2026-11-10&to=2026-11-12', [13, 0], [12, 23]],
    ['when=custom&from=2026-11-10', [9, 23], [18, 23]],
  ] as const)('%s covers the right days in the reader’s time zone', (query, [outDay, outHour], [day, hour]) => {
    const range = rangeOf(filters(query), NOW);
    expect(isIn(range, placed(outDay, outHour))).toBe(false);
    expect(isIn(range, placed(day, hour))).toBe(true);
  });

  test('without dates include every order', () => {
    expect(isIn(rangeOf(filters('when=custom&from=soon'), NOW), placed(1, 0))).toBe(true);
  });
});

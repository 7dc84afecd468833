import { describe, expect, test } from 'bun:test';
import type { Usage } from '../../client/src/index.ts';
import { thisHour, usageByHour } from './usage-hours.ts';

const NOW = Date.parse('2026-11-16T12:34:56Z');
const hour = (at: string, byStatus: Record<string, number>, total = 0) => ({ hour: at, byStatus, total });
const USAGE = {
  hours: [
    hour('2026-11-16T11:00:00Z', { 399: 7, 400: 1, 499: 2 }, 10),
    hour('2026-11-16T12:00:00Z', { 200: 1, 304: 2, 404: 4, 429: 8, 500: 16, 503: 32 }, 63),
  ],
} as unknown as Usage;

describe('the usage of a key', () => {
  test('has 30 days of hours that end with the current one', () => {
    const { times } = usageByHour(USAGE, NOW);
    expect(times).toHaveLength(720);
    expect(times.at(-1)).toBe(Date.parse('2026-11-16T12:00:00Z') / 1000);
    expect(times[0]).toBe(Date.parse('2026-10-17T13:00:00Z') / 1000);
  });

  test('counts every status once, in its class, and nothing in other hours', () => {
    const { lines } = usageByHour(USAGE, NOW);
    expect(lines.map(({ color }) => color)).toEqual(['good', 'warn', 'bad', 'soft']);
    expect(lines.map(({ values }) => values.at(-1))).toEqual([3, 4, 8, 48]);
    expect(lines.map(({ values }) => values.at(-2))).toEqual([7, 3, 0, 0]);
    expect(lines.map(({ values }) => values.at(-3))).toEqual([0, 0, 0, 0]);
  });

  test('of this hour is 0 if the service lists none', () => {
    expect(thisHour(USAGE, NOW)).toBe(63);
    expect(thisHour(USAGE, NOW + 3_600_000)).toBe(0);
  });
});

import { describe, expect, test } from 'bun:test';
import type { Usage } from '../../client/src/index.ts';
import { dayAt, usageByDay, usageOfDay, usageOfLastHours } from './usage-hours.ts';

const NOW = Date.parse('2026-11-16T12:34:56Z');
const hour = (at: string, byStatus: Record<string, number>) => ({ hour: at, byStatus, total: 0 });
const USAGE = {
  hours: [
    hour('2026-10-01T11:00:00Z', { 200: 999 }),
    hour('2026-11-16T11:00:00Z', { 399: 7, 400: 1, 499: 2 }),
    hour('2026-11-16T12:00:00Z', { 200: 1, 304: 2, 404: 4, 429: 8, 500: 16, 503: 32 }),
  ],
} as unknown as Usage;

describe('the usage of a key', () => {
  test('has 24 hours that end with the current one', () => {
    const { times } = usageOfLastHours(USAGE, NOW);
    expect(times).toHaveLength(24);
    expect(times.at(-1)).toBe(Date.parse('2026-11-16T12:00:00Z') / 1000);
  });

  test('counts every status once, in its class, and nothing in other hours', () => {
    const { lines } = usageOfLastHours(USAGE, NOW);
    expect(lines.map(({ color }) => color)).toEqual(['good', 'soft', 'warn', 'bad']);
    expect(lines.map(({ values }) => values.at(-1))).toEqual([3, 4, 8, 48]);
    expect(lines.map(({ values }) => values.at(-2))).toEqual([7, 3, 0, 0]);
    expect(lines.map(({ values }) => values.at(-3))).toEqual([0, 0, 0, 0]);
  });

  test('has one bar for each of the reader’s days, the last one for today', () => {
    const { times, lines, isDays } = usageByDay(USAGE, NOW, 30);
    expect([times.length, isDays]).toEqual([30, true]);
    expect(times.at(-1)).toBe(dayAt(NOW, 0) / 1000);
    const all = lines.flatMap(({ values }) => values).reduce<number>((sum, value) => sum + (value ?? 0), 0);
    expect(all).toBe(73);
  });

  test('of one day has one bar per hour', () => {
    const [today, yesterday] = [usageOfDay(USAGE, NOW, 0), usageOfDay(USAGE, NOW, 1)];
    expect(today.times[0]).toBe(dayAt(NOW, 0) / 1000);
    expect([today.times.length, yesterday.times.length]).toEqual([24, 24]);
    expect(yesterday.lines.flatMap(({ values }) => values).every((value) => value === 0)).toBe(true);
  });
});

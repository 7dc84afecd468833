import { describe, expect, test } from 'bun:test';
import type { EventCounts } from '../../client/src/index.ts';
import { availablePerDay, compareWeeks, countOf, lastDays, openPerDay, perDay } from './days.ts';

const NOW = new Date(2026, 10, 18, 15, 30).getTime();
const DAYS = lastDays(NOW);

const at = (daysAgo: number, hour: number, byType: Record<string, number>, sold = 0) => ({
  start: new Date(2026, 10, 18 - daysAgo, hour).toISOString(),
  total: Object.values(byType).reduce((all, count) => all + count, 0),
  byType,
  sold,
});
const counts = (...periods: EventCounts['periods']) => ({ periods }) as EventCounts;

describe('counts per day', () => {
  test('follow the days of the reader, and leave out hours before the first day', () => {
    const counted = counts(
      at(14, 23, { 'pet.created': 9 }),
      at(13, 0, { 'pet.created': 1 }),
      at(1, 23, { 'pet.created': 2 }),
      at(0, 0, { 'pet.created': 3 }),
      at(0, 14, { 'pet.created': 4, 'order.placed': 1 }),
    );
    expect(new Date(DAYS[0] ?? 0).getDate()).toBe(5);
    expect(perDay(counted, DAYS, countOf('pet.created'))).toEqual([1, ...Array(11).fill(0), 2, 7]);
  });

  test('give the open orders of earlier days, counting back from the current number', () => {
    const counted = counts(
      at(2, 9, { 'order.placed': 4 }),
      at(1, 9, { 'order.placed': 1, 'order.delivered': 2, 'order.expired': 1 }),
      at(0, 9, { 'order.placed': 3, 'order.cancelled': 1 }),
    );
    expect(openPerDay(counted, DAYS, 9).slice(-4)).toEqual([5, 9, 7, 9]);
  });

  test('give the available pets of earlier days, unless a deletion or a manual change makes them unknown', () => {
    const days = DAYS.slice(-4);
    const periods = [
      at(2, 9, { 'pet.created': 4 }),
      at(1, 9, { 'order.placed': 3, 'order.delivered': 1, 'order.cancelled': 1, 'pet.status_changed': 6 }, 2),
      at(0, 9, { 'pet.created': 1, 'order.expired': 1, 'pet.status_changed': 1 }),
    ];
    expect(availablePerDay(counts(...periods), days, 9)).toEqual([6, 10, 7, 9]);
    expect(availablePerDay(counts(...periods, at(0, 8, { 'pet.deleted': 1 })), days, 9)).toBeUndefined();
    expect(availablePerDay(counts(...periods, at(0, 8, { 'pet.status_changed': 1 })), days, 9)).toBeUndefined();
    expect(availablePerDay(counts(...periods), days, 2)).toBeUndefined();
  });

  test('compare two weeks only if the first week has events', () => {
    const thisWeek = at(3, 9, { 'order.delivered': 5 }, 5);
    const sold = (counted: EventCounts) => perDay(counted, DAYS, (period) => period.sold);
    const young = counts(thisWeek);
    expect(compareWeeks(young, DAYS, sold(young))).toEqual({ week: 5, before: undefined });
    const old = counts(at(9, 9, { 'pet.created': 1, 'order.delivered': 2 }, 2), thisWeek);
    expect(compareWeeks(old, DAYS, sold(old))).toEqual({ week: 5, before: 2 });
  });
});

import { describe, expect, test } from 'bun:test';
import type { OrderStatus } from '../../client/src/index.ts';
import { changedAt, isSoon, MOVES, moved, movesOf, type OrderRow } from './moves.ts';

const order = (status: OrderStatus, expiresAt: string | null = null) => ({ status, expiresAt }) as OrderRow;

describe('an order', () => {
  test.each([
    ['placed', ['approve', 'cancel']],
    ['approved', ['deliver', 'cancel']],
    ['delivered', []],
    ['cancelled', []],
    ['expired', []],
  ] as const)('that is %s offers %p', (status, names) => {
    expect(movesOf(order(status)).map(({ name }) => name)).toEqual([...names]);
  });

  test('moves to the status of the chosen action, and each action has its own shortcut', () => {
    expect(MOVES.map(({ name, key, to }) => [name, key, to])).toEqual([
      ['approve', 'a', 'approved'],
      ['deliver', 'd', 'delivered'],
      ['cancel', 'c', 'cancelled'],
    ]);
  });

  test('shows the time of a move, but keeps the time of its last change', () => {
    const updatedAt = '2026-11-16T04:00:00Z';
    const before = Date.now();
    const shown = moved({ ...order('approved', '2026-11-16T05:00:00Z'), updatedAt }, 'delivered');
    expect(Date.parse(changedAt(shown))).toBeGreaterThanOrEqual(before);
    expect([shown.status, shown.expiresAt, shown.updatedAt]).toEqual(['delivered', null, updatedAt]);
    expect(changedAt({ ...order('approved'), updatedAt })).toBe(updatedAt);
  });

  test('is marked in the last 15 minutes of its hold', () => {
    const now = Date.parse('2026-11-16T12:00:00Z');
    const ends = ['2026-11-16T12:14:59Z', '2026-11-16T12:15:00Z', '2026-11-16T11:00:00Z', null];
    expect(ends.map((end) => isSoon(order('placed', end), now))).toEqual([true, false, true, false]);
  });
});

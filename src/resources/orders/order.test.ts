import { describe, expect, test } from 'bun:test';
import { type Order, type OrderStatus, refuseOrderMove, toOrderBody } from './order.ts';
import { listOrdersContract } from './orders.contracts.ts';

const HOLD_ENDS_AT = 60_000;
const order = (status: OrderStatus): Order => ({
  id: 7n,
  petId: 3n,
  status,
  placedByKeyId: 'key_one',
  placedAt: 0,
  updatedAt: 1000,
  expiresAt: status === 'placed' ? HOLD_ENDS_AT : null,
});
const refused = (words: string) =>
  expect.objectContaining({ code: 'invalid_status_transition', message: expect.stringContaining(words) });

describe('an order', () => {
  const moves: Record<OrderStatus, OrderStatus[]> = {
    placed: ['approved', 'cancelled', 'expired'],
    approved: ['delivered', 'cancelled'],
    delivered: [],
    cancelled: [],
    expired: [],
  };
  const statuses = Object.keys(moves) as OrderStatus[];
  const advice: Record<OrderStatus, string> = {
    placed: 'is `placed`; approve it before you deliver it (POST /store/orders/7/approve)',
    approved: 'is already `approved`; deliver it (POST /store/orders/7/deliver) or cancel it',
    delivered: 'is `delivered`, which is final',
    cancelled: 'is `cancelled`, which is final',
    expired: 'is `expired`, which is final',
  };

  test.each(statuses)('that is %s allows exactly its transitions', (from) => {
    for (const to of statuses) {
      const move = () => refuseOrderMove(order(from), to, HOLD_ENDS_AT - 1);
      if (moves[from].includes(to)) expect(move).not.toThrow();
      else expect(move).toThrow(refused(from === to && from !== 'placed' ? `is already \`${from}\`` : advice[from]));
    }
  });

  test('can be approved until its hold ends, and no longer', () => {
    expect(() => refuseOrderMove(order('placed'), 'approved', HOLD_ENDS_AT)).toThrow(refused('has expired'));
  });

  test('can be cancelled or expire after its hold, and be delivered without a hold', () => {
    expect(() => refuseOrderMove(order('placed'), 'cancelled', HOLD_ENDS_AT)).not.toThrow();
    expect(() => refuseOrderMove(order('placed'), 'expired', HOLD_ENDS_AT)).not.toThrow();
    expect(() => refuseOrderMove(order('approved'), 'delivered', HOLD_ENDS_AT)).not.toThrow();
  });

  test('shows when its hold ends, and null without a hold', () => {
    expect(toOrderBody(order('placed')).expiresAt).toBe('1970-01-01T00:01:00.000Z');
    expect(toOrderBody(order('approved')).expiresAt).toBeNull();
  });
});

test.each([
  ['5', { id: 5n }],
  ['5.100', { id: 5n, placedAt: 100 }],
  ['5.9223372036854775807', undefined],
  ['5.-9223372036854775808', undefined],
  ['5.abc', undefined],
  ['5.1.1', undefined],
  ['abc', undefined],
])('a position in a list by time: %s', (text, expected) => {
  expect(listOrdersContract.paged.safeParse(text).data).toEqual(expected as never);
});

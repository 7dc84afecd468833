import { describe, expect, test } from 'bun:test';
import { inRange, pageOf } from './page.sql.ts';
import type { SqlValue } from './sql.ts';

const page = { limit: 21, order: 'asc' as const };

describe('a page', () => {
  test('without filters has no condition', () => {
    expect(pageOf({ by: { id: undefined } }, page)).toEqual({
      where: '',
      end: 'ORDER BY id asc LIMIT $1',
      values: [21],
    });
  });

  test('starts after a position, in the requested order', () => {
    const by = { created_at: 5n, id: 'key_one' };
    expect(pageOf({ by }, page)).toEqual({
      where: 'WHERE (created_at, id) > ($1, $2)',
      end: 'ORDER BY created_at asc, id asc LIMIT $3',
      values: [5n, 'key_one', 21],
    });
    expect(pageOf({ by }, { ...page, order: 'desc' })).toMatchObject({
      where: 'WHERE (created_at, id) < ($1, $2)',
      end: 'ORDER BY created_at desc, id desc LIMIT $3',
    });
  });

  test('joins all conditions, and leaves out undefined ones', () => {
    const equal = { store_id: 1n, status: undefined, pet_id: 0n };
    expect(pageOf({ terms: ['a IS NULL', 'b > 1'], equal, by: { id: 7n } }, page)).toEqual({
      where: 'WHERE a IS NULL AND b > 1 AND store_id = $1 AND pet_id = $2 AND (id) > ($3)',
      end: 'ORDER BY id asc LIMIT $4',
      values: [1n, 0n, 7n, 21],
    });
    expect(pageOf({ equal, by: { id: undefined } }, page).where).toBe('WHERE store_id = $1 AND pet_id = $2');
  });

  test('in a range has both bounds if it is the first page, and otherwise only the bound ahead', () => {
    const text = (
      order: 'asc' | 'desc',
      after: unknown,
      range: { from?: bigint; to?: bigint } = { from: 3n, to: 7n },
    ) => {
      const values: SqlValue[] = [1n];
      return [inRange(values, 'at', range, { limit: 21, order, after }), values];
    };
    for (const order of ['asc', 'desc'] as const) {
      expect(text(order, undefined)).toEqual([' AND at >= $2 AND at < $3', [1n, 3n, 7n]]);
      expect(text(order, undefined, {})).toEqual(['', [1n]]);
    }
    expect(text('asc', {})).toEqual([' AND at < $2', [1n, 7n]]);
    expect(text('desc', {})).toEqual([' AND at >= $2', [1n, 3n]]);
  });
});

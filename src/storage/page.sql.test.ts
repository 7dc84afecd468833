import { describe, expect, test } from 'bun:test';
import { pageOf } from './page.sql.ts';

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
});

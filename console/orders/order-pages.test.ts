import { describe, expect, test } from 'bun:test';
import type { OrderRow } from './moves.ts';
import { mergeNewest, type OrderPages, withOrder } from './order-pages.ts';

const order = (id: number, status: OrderRow['status'] = 'placed'): OrderRow => ({
  id,
  petId: 1,
  status,
  placedAt: '2026-11-20T12:00:00.000Z',
  updatedAt: '2026-11-20T12:00:00.000Z',
  expiresAt: null,
});

const pagesOf = (ids: number[][], cursor?: string) =>
  ({
    pages: ids.map((page, index) => ({
      items: page.map((id) => order(id)),
      cursor: index < ids.length - 1 ? 'next' : cursor,
    })),
    pageParams: [],
  }) as unknown as OrderPages;

const idsOf = ({ pages }: OrderPages) => pages.map(({ items }) => items.map(({ id }) => id));

describe('an order that changes its status', () => {
  const newestFirst = { belongs: true, isAscending: false };

  test('leaves its old list', () => {
    const left = withOrder(pagesOf([[9, 8], [7]]), order(8), { belongs: false, isAscending: false });
    expect(idsOf(left)).toEqual([[9], [7]]);
  });

  test('is inserted into its new list by id', () => {
    expect(idsOf(withOrder(pagesOf([[9, 7], [4]]), order(8), newestFirst))).toEqual([[9, 8, 7], [4]]);
    expect(idsOf(withOrder(pagesOf([[9, 7], [4]]), order(10), newestFirst))).toEqual([[10, 9, 7], [4]]);
    const oldestFirst = { belongs: true, isAscending: true };
    expect(idsOf(withOrder(pagesOf([[4, 7], [9]]), order(8), oldestFirst))).toEqual([
      [4, 7],
      [8, 9],
    ]);
  });

  test('is appended to a completely loaded list, and otherwise left to a later page', () => {
    expect(idsOf(withOrder(pagesOf([[9, 7]]), order(3), newestFirst))).toEqual([[9, 7, 3]]);
    expect(idsOf(withOrder(pagesOf([[]]), order(3), newestFirst))).toEqual([[3]]);
    expect(idsOf(withOrder(pagesOf([[9, 7]], 'more'), order(3), newestFirst))).toEqual([[9, 7]]);
  });

  test('appears once, however often its event arrives', () => {
    const once = withOrder(pagesOf([[9, 7]]), order(8), newestFirst);
    expect(idsOf(withOrder(once, order(8), newestFirst))).toEqual([[9, 8, 7]]);
  });
});

describe('two merged lists', () => {
  const rows = (...ids: number[]) => ids.map((id) => order(id));

  test('are sorted newest first', () => {
    const merged = mergeNewest(
      { rows: rows(9, 3), hasMore: false },
      { rows: rows(9_007_199_254_740_991, 5), hasMore: false },
    );
    expect(merged.map(({ id }) => id)).toEqual([9_007_199_254_740_991, 9, 5, 3]);
  });

  test('end at the last loaded row of a list that has more pages', () => {
    const merged = mergeNewest({ rows: rows(9, 5), hasMore: true }, { rows: rows(8, 4, 2), hasMore: false });
    expect(merged.map(({ id }) => id)).toEqual([9, 8, 5]);
  });
});

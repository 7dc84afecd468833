import { describe, expect, test } from 'bun:test';
import type { OrderRow } from './moves.ts';
import { mergeNewest, type OrderPages, withOrder } from './order-pages.ts';

const order = (id: number | bigint, status: OrderRow['status'] = 'placed'): OrderRow => ({
  id,
  petId: 1,
  status,
  placedAt: '2026-11-20T12:00:00.000Z',
  updatedAt: '2026-11-20T12:00:00.000Z',
  expiresAt: null,
});

/** Pages of these ids; `cursor` says that another page follows. */
const pagesOf = (ids: number[][], cursor?: string) =>
  ({
    pages: ids.map((page, index) => ({
      items: page.map((id) => order(id)),
      cursor: index < ids.length - 1 ? 'next' : cursor,
    })),
    pageParams: [],
  }) as unknown as OrderPages;

const idsOf = ({ pages }: OrderPages) => pages.map(({ items }) => items.map(({ id }) => id));

describe('an order that moves', () => {
  const newestFirst = { belongs: true, isAscending: false };

  test('leaves the list it was in', () => {
    const left = withOrder(pagesOf([[9, 8], [7]]), order(8), { belongs: false, isAscending: false });
    expect(idsOf(left)).toEqual([[9], [7]]);
  });

  test('stands in its new list by its id', () => {
    expect(idsOf(withOrder(pagesOf([[9, 7], [4]]), order(8), newestFirst))).toEqual([[9, 8, 7], [4]]);
    expect(idsOf(withOrder(pagesOf([[9, 7], [4]]), order(10), newestFirst))).toEqual([[10, 9, 7], [4]]);
    const oldestFirst = { belongs: true, isAscending: true };
    expect(idsOf(withOrder(pagesOf([[4, 7], [9]]), order(8), oldestFirst))).toEqual([
      [4, 7],
      [8, 9],
    ]);
  });

  test('stands at the end of a list that was read to its end, and is left to its page otherwise', () => {
    expect(idsOf(withOrder(pagesOf([[9, 7]]), order(3), newestFirst))).toEqual([[9, 7, 3]]);
    expect(idsOf(withOrder(pagesOf([[]]), order(3), newestFirst))).toEqual([[3]]);
    expect(idsOf(withOrder(pagesOf([[9, 7]], 'more'), order(3), newestFirst))).toEqual([[9, 7]]);
  });

  test('stands there once, however often it is told of', () => {
    const once = withOrder(pagesOf([[9, 7]]), order(8), newestFirst);
    expect(idsOf(withOrder(once, order(8), newestFirst))).toEqual([[9, 8, 7]]);
  });
});

describe('two lists as one', () => {
  const rows = (...ids: (number | bigint)[]) => ids.map((id) => order(id));

  test('are newest first', () => {
    const merged = mergeNewest(
      { rows: rows(9, 3), hasMore: false },
      { rows: rows(9_007_199_254_740_993n, 5), hasMore: false },
    );
    expect(merged.map(({ id }) => id)).toEqual([9_007_199_254_740_993n, 9, 5, 3]);
  });

  test('end where one of them is not known any further: what is missing would stand between', () => {
    const merged = mergeNewest({ rows: rows(9, 5), hasMore: true }, { rows: rows(8, 4, 2), hasMore: false });
    expect(merged.map(({ id }) => id)).toEqual([9, 8, 5]);
  });
});

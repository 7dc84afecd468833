import type { InfiniteData } from '@tanstack/react-query';
import type { Page } from '../../client/src/index.ts';
import type { OrderRow } from './moves.ts';

export type OrderPages = InfiniteData<Page<OrderRow>, string>;

type Place = { belongs: boolean; isAscending: boolean };

/** Does not add an order that belongs on a page that is not loaded yet. */
export const withOrder = (data: OrderPages, order: OrderRow, { belongs, isAscending }: Place): OrderPages => {
  const isSame = ({ id }: OrderRow) => id === order.id;
  const isBefore = ({ id }: OrderRow) => (isAscending ? order.id < id : order.id > id);
  const pages = data.pages.map((page) =>
    page.items.some(isSame) ? { ...page, items: page.items.filter((item) => !isSame(item)) } : page,
  );
  if (!belongs) return { ...data, pages };
  const found = pages.findIndex(({ items }) => items.some(isBefore));
  const at = found >= 0 ? found : pages.at(-1)?.cursor === undefined ? pages.length - 1 : -1;
  return {
    ...data,
    pages: pages.map((page, index) => {
      if (index !== at) return page;
      const before = page.items.findIndex(isBefore);
      return { ...page, items: page.items.toSpliced(before < 0 ? page.items.length : before, 0, order) };
    }),
  };
};

type Known = { rows: readonly OrderRow[]; hasMore: boolean };

const lowestKnown = ({ rows, hasMore }: Known) => (hasMore ? rows.at(-1)?.id : undefined) ?? 0;

/**
 * If one of the lists has more pages to load, the result ends at that list's last loaded row, because its older rows
 * are missing.
 */
export const mergeNewest = (one: Known, other: Known): OrderRow[] => {
  const [a, b] = [lowestKnown(one), lowestKnown(other)];
  const lowest = a > b ? a : b;
  return [...one.rows, ...other.rows].filter(({ id }) => id >= lowest).sort((x, y) => (x.id < y.id ? 1 : -1));
};

import type { Category, Int64 } from '../../client/src/index.ts';

export type Categories = readonly Category[];

/** Name of a category, or its id if it has no name. */
export const categoryName = (categories: Categories, id: Int64): string =>
  categories.find((category) => String(category.id) === String(id))?.name ?? String(id);

const MAX_INT64 = 2n ** 63n - 1n;

/** Finds a category by id or name; undefined if there is none. */
export const readCategory = (categories: Categories, text: string): bigint | undefined => {
  const meant = text.trim().toLowerCase();
  const named = categories.find(({ name }) => name?.toLowerCase() === meant);
  if (named) return BigInt(named.id);
  if (!/^-?\d{1,19}$/.test(meant)) return undefined;
  const id = BigInt(meant);
  return id <= MAX_INT64 && id >= -MAX_INT64 - 1n ? id : undefined;
};

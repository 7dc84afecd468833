import type { Categories } from '../../cli/rows/category.ts';
import type { Int64 } from '../../client/src/index.ts';

export const categoryName = (categories: Categories, id: Int64): string =>
  categories.find((category) => String(category.id) === String(id))?.name ?? String(id);

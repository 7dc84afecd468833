import { type Categories, isCategoryName, isNamed } from '../../cli/rows/category.ts';
import type { Int64 } from '../../client/src/index.ts';

export const categoryName = (categories: Categories, id: Int64): string =>
  categories.find((category) => String(category.id) === String(id))?.name ?? String(id);

/** Returns the name of the category that `text` would create, or undefined if the text names an existing category. */
export const newCategoryName = (categories: Categories, text: string): string | undefined => {
  const name = text.trim();
  const isNew = name !== '' && isCategoryName(name) && !categories.some((category) => isNamed(category, name));
  return isNew ? name : undefined;
};

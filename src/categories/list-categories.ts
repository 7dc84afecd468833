import { reads } from '../kernel/operation.ts';
import { answerPage } from '../kernel/page.ts';
import type { CategoryReads } from './categories.store.ts';
import { toCategoryBody } from './category.ts';
import { listCategoriesContract } from './list-categories.contract.ts';

export const listCategories = reads(listCategoriesContract, async (stores: { categories: CategoryReads }, { page }) => {
  const categories = await stores.categories.list({ ...page, limit: page.limit + 1 });
  return answerPage(categories, page, { body: toCategoryBody, position: ({ id }) => String(id) });
});

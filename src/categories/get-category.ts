import { reads } from '../kernel/operation.ts';
import { type CategoryReads, findCategory } from './categories.store.ts';
import { toCategoryBody } from './category.ts';
import { getCategoryContract } from './get-category.contract.ts';

export const getCategory = reads(getCategoryContract, async (stores: { categories: CategoryReads }, { path }) => ({
  body: toCategoryBody(await findCategory(stores.categories, path.categoryId)),
}));

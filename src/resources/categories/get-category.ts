import { reads } from '../../kernel/operation.ts';
import { type CategoryReads, findCategory } from './categories.repository.ts';
import { toCategoryBody } from './category.ts';
import { getCategoryContract } from './get-category.contract.ts';

export const getCategory = reads(
  getCategoryContract,
  async (repositories: { categories: CategoryReads }, { path }) => ({
    body: toCategoryBody(await findCategory(repositories.categories, path.categoryId)),
  }),
);

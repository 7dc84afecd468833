import { reads } from '../../kernel/operation.ts';
import { getCategoryContract } from './categories.contracts.ts';
import { type CategoryReads, findCategory } from './categories.repository.ts';
import { toCategoryBody } from './category.ts';

export const getCategory = reads(
  getCategoryContract,
  async (repositories: { categories: CategoryReads }, { path }) => ({
    body: toCategoryBody(await findCategory(repositories.categories, path.categoryId)),
  }),
);

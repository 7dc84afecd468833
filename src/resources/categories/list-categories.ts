import { reads } from '../../kernel/operation.ts';
import { answerPage } from '../../kernel/page.ts';
import { listCategoriesContract } from './categories.contracts.ts';
import type { CategoryReads } from './categories.repository.ts';
import { toCategoryBody } from './category.ts';

export const listCategories = reads(
  listCategoriesContract,
  async (repositories: { categories: CategoryReads }, { page }) => {
    const categories = await repositories.categories.list({ ...page, limit: page.limit + 1 });
    return answerPage(categories, page, { body: toCategoryBody, position: ({ id }) => String(id) });
  },
);

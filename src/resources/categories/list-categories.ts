import { reads } from '../../kernel/operation.ts';
import { answerPage } from '../../kernel/page.ts';
import { listCategoriesContract } from './categories.contracts.ts';
import type { CategoryReads } from './categories.repository.ts';
import { toCategoryBody } from './category.ts';

export const listCategories = reads(
  listCategoriesContract,
  async (repositories: { categories: CategoryReads }, { query, page }) => {
    const { categories: kept } = repositories;
    const categories = await kept.list({ ...page, limit: page.limit + 1 }, { withPets: query.count === 'pets' });
    return answerPage(categories, page, { body: toCategoryBody, position: ({ id }) => String(id) });
  },
);

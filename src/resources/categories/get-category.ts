import { orNotFound } from '../../kernel/failure.ts';
import { reads } from '../../kernel/operation.ts';
import { getCategoryContract } from './categories.contracts.ts';
import type { CategoryReads } from './categories.repository.ts';
import { type Category, toCategoryBody } from './category.ts';

/** On PostgreSQL, a category can be deleted while another transaction adds a pet to it (see `restoreIfUsed`). */
const findCategory = async (categories: CategoryReads, id: bigint): Promise<Category | undefined> =>
  (await categories.find(id)) ?? ((await categories.hasPets(id)) ? { id, name: null } : undefined);

export const getCategory = reads(
  getCategoryContract,
  async ({ categories }: { categories: CategoryReads }, { path: { categoryId } }) => ({
    body: toCategoryBody(orNotFound(await findCategory(categories, categoryId), 'category', categoryId)),
  }),
);

import { orNotFound } from '../../kernel/failure.ts';
import { reads, writes } from '../../kernel/operation.ts';
import { answerPage } from '../../kernel/page.ts';
import {
  createCategoryContract,
  getCategoryContract,
  listCategoriesContract,
  updateCategoryContract,
} from './categories.contracts.ts';
import type { CategoryReads, CategoryRepositories } from './categories.repository.ts';
import { type Category, toCategoryBody } from './category.ts';
import { deleteCategory } from './delete-category.ts';

type Reads = { categories: CategoryReads };

const listCategories = reads(listCategoriesContract, async ({ categories }: Reads, { query, page }) => {
  const rows = await categories.list({ ...page, limit: page.limit + 1 }, { withPets: query.count === 'pets' });
  return answerPage(rows, page, { body: toCategoryBody, position: ({ id }) => String(id) });
});

/** Lowest id that the service assigns. Lower ids are reserved for clients that choose their own ids. */
const FIRST_NUMBER = 1000n;

/** @internal */
export const createCategory = writes(createCategoryContract, async (repositories: CategoryRepositories, { body }) => {
  const category = await repositories.categories.insert(body.name, FIRST_NUMBER);
  const shown = toCategoryBody(category);
  await repositories.events.append({ type: 'category.created', object: shown });
  return { body: shown, location: `/categories/${category.id}` };
});

/** On PostgreSQL, a category that pets use may be missing until `restoreIfUsed` has created it again. */
const findCategory = async (categories: CategoryReads, id: bigint): Promise<Category | undefined> =>
  (await categories.find(id)) ?? ((await categories.hasPets(id)) ? { id, name: null } : undefined);

const getCategory = reads(getCategoryContract, async ({ categories }: Reads, { path: { categoryId } }) => ({
  body: toCategoryBody(orNotFound(await findCategory(categories, categoryId), 'category', categoryId)),
}));

const updateCategory = writes(
  updateCategoryContract,
  async ({ categories, events }: CategoryRepositories, { path, body }) => {
    const category = orNotFound(await categories.lock(path.categoryId), 'category', path.categoryId);
    const name = body.name ?? category.name;
    const shown = toCategoryBody({ ...category, name });
    if (name !== null && name !== category.name) {
      await categories.rename(category.id, name);
      await events.append({ type: 'category.updated', object: shown, previous: { name: category.name } });
    }
    return { body: shown };
  },
);

export const categoryOperations = [listCategories, createCategory, getCategory, updateCategory, deleteCategory];

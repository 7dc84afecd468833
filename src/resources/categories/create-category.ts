import { writes } from '../../kernel/operation.ts';
import { createCategoryContract } from './categories.contracts.ts';
import type { CategoryRepositories } from './categories.repository.ts';
import { toCategoryBody } from './category.ts';

/** Lowest id that the service assigns. Lower ids are reserved for clients that choose their own ids. */
const FIRST_NUMBER = 1000n;

export const createCategory = writes(createCategoryContract, async (repositories: CategoryRepositories, { body }) => {
  const category = await repositories.categories.insert(body.name, FIRST_NUMBER);
  const shown = toCategoryBody(category);
  await repositories.events.append({ type: 'category.created', object: shown });
  return { body: shown, location: `/categories/${category.id}` };
});

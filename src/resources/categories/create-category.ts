import type { EventLog } from '../../kernel/operation.ts';
import { writes } from '../../kernel/operation.ts';
import { createCategoryContract } from './categories.contracts.ts';
import type { CategoryRepository } from './categories.repository.ts';
import { toCategoryBody } from './category.ts';

/** Lowest id that the service assigns. Lower ids are reserved for clients that choose their own ids. */
const FIRST_NUMBER = 1000n;

type Repositories = { categories: CategoryRepository; events: EventLog };

export const createCategory = writes(createCategoryContract, async (repositories: Repositories, { body }) => {
  const category = await repositories.categories.insert(body.name, FIRST_NUMBER);
  const shown = toCategoryBody(category);
  await repositories.events.append({ type: 'category.created', object: shown });
  return { body: shown, location: `/categories/${category.id}` };
});

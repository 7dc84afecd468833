import { orNotFound } from '../../kernel/failure.ts';
import { type EventLog, writes } from '../../kernel/operation.ts';
import { updateCategoryContract } from './categories.contracts.ts';
import type { CategoryRepository } from './categories.repository.ts';
import { toCategoryBody } from './category.ts';

type Repositories = { categories: CategoryRepository; events: EventLog };

export const updateCategory = writes(updateCategoryContract, async (repositories: Repositories, { path, body }) => {
  const category = orNotFound(await repositories.categories.lock(path.categoryId), 'category', path.categoryId);
  const name = body.name ?? category.name;
  const shown = toCategoryBody({ ...category, name });
  if (name !== null && name !== category.name) {
    await repositories.categories.rename(category.id, name);
    await repositories.events.append({ type: 'category.updated', object: shown, previous: { name: category.name } });
  }
  return { body: shown };
});

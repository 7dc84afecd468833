import { orNotFound } from '../../kernel/failure.ts';
import { writes } from '../../kernel/operation.ts';
import { updateCategoryContract } from './categories.contracts.ts';
import type { CategoryRepositories } from './categories.repository.ts';
import { toCategoryBody } from './category.ts';

export const updateCategory = writes(
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

import { Failure, orNotFound } from '../../kernel/failure.ts';
import { type EventLog, writes } from '../../kernel/operation.ts';
import { deleteCategoryContract } from './categories.contracts.ts';
import { type CategoryRepository, type RestoreDeps, removeCategory, restoreIfUsed } from './categories.repository.ts';

type Repositories = { categories: CategoryRepository; events: EventLog };

export const deleteCategory = writes(
  deleteCategoryContract,
  async (repositories: Repositories, { path: { categoryId } }) => {
    const category = orNotFound(await repositories.categories.lock(categoryId), 'category', categoryId);
    if (await repositories.categories.hasPets(categoryId)) {
      throw new Failure(
        'category_in_use',
        `Category ${categoryId} has pets. Merge it into another category (POST /categories/${categoryId}/merge), ` +
          `or list its pets with GET /pets?categoryId=${categoryId}.`,
      );
    }
    await removeCategory(repositories, category);
    return {};
  },
  (call, deps: RestoreDeps, { path }) => restoreIfUsed(call, deps, path.categoryId),
);

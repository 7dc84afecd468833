import { Failure, orNotFound } from '../../kernel/failure.ts';
import { writes } from '../../kernel/operation.ts';
import { deleteCategoryContract } from './categories.contracts.ts';
import { type CategoryRepositories, removeCategory, restoreIfUsed } from './categories.repository.ts';

export const deleteCategory = writes(
  deleteCategoryContract,
  async (repositories: CategoryRepositories, { path: { categoryId } }) => {
    const category = orNotFound(await repositories.categories.lock(categoryId), 'category', categoryId);
    if (await repositories.categories.hasPets(categoryId)) {
      throw new Failure(
        'category_in_use',
        `Category ${categoryId} has pets, so it cannot be deleted. Merge it into another category ` +
          `(POST /categories/${categoryId}/merge), or delete its pets (GET /pets?categoryId=${categoryId} lists them).`,
      );
    }
    await removeCategory(repositories, category);
    return {};
  },
  restoreIfUsed,
);

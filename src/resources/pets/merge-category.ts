import { faultyField, orNotFound } from '../../kernel/failure.ts';
import { writes } from '../../kernel/operation.ts';
import { type CategoryRepository, removeCategory, restoreIfUsed } from '../categories/categories.repository.ts';
import type { Category } from '../categories/category.ts';
import type { PetRepositories } from './create-pet.ts';
import { petChanges } from './pet.ts';
import { mergeCategoryContract } from './pets.contracts.ts';

// Maximum number of pets to move in one transaction. On SQLite, moving this many pets delays other writers by about
// 30 ms, plus the time to write the events.
const MAX_MOVED = 100;

/** Locks the lower id first, because concurrent merges that lock categories in different orders could deadlock. */
const lockBoth = async (
  categories: CategoryRepository,
  from: bigint,
  into: bigint,
): Promise<[from: Category, into: Category]> => {
  const locked = new Map<bigint, Category>();
  for (const id of from < into ? [from, into] : [into, from]) {
    locked.set(id, orNotFound(await categories.lock(id), 'category', id));
  }
  return [locked.get(from) as Category, locked.get(into) as Category];
};

export const mergeCategory = writes(
  mergeCategoryContract,
  async (repositories: PetRepositories, { path: { categoryId }, body: { into } }) => {
    if (into === categoryId) throw faultyField('into', 'must be another category');
    const [category, target] = await lockBoth(repositories.categories, categoryId, into);
    const moved = await repositories.pets.moveSome(categoryId, into, MAX_MOVED);
    await repositories.events.appendMany(moved.flatMap((pet) => petChanges({ ...pet, categoryId }, pet)));
    const hasMore = await repositories.categories.hasPets(categoryId);
    if (!hasMore) await removeCategory(repositories, category, target);
    return { body: { moved: moved.length, hasMore } };
  },
  restoreIfUsed,
);

import type { PageRequest } from '../../kernel/contract.ts';
import type { Call, EventLog, WriteInStore } from '../../kernel/operation.ts';
import type { MaybePromise } from '../../kernel/runtime.ts';
import { type Category, type CountedCategory, toCategoryBody } from './category.ts';

export type CategoryReads = {
  find(id: bigint): Promise<Category | undefined>;
  list(page: PageRequest<bigint>, options?: { withPets?: boolean }): Promise<CountedCategory[]>;
  hasPets(id: bigint): Promise<boolean>;
};

export type CategoryRepository = CategoryReads & {
  /** If the category is missing but pets use it, creates it again (see `restoreIfUsed`). */
  lock(id: bigint): Promise<Category | undefined>;
  /** Creates the category without a name, unless it already exists. */
  record(id: bigint): MaybePromise<void>;
  recordMany(ids: ReadonlySet<bigint>): Promise<void>;
  insert(name: string, first: bigint): Promise<Category>;
  rename(id: bigint, name: string): Promise<void>;
  /** The id is never used again for another category. */
  remove(id: bigint): Promise<void>;
  /**
   * Removes up to `most` categories, and returns 0 if none are left. No other transaction may add categories at the
   * same time.
   */
  removeSome(most: number): Promise<number>;
};

export type CategoryRepositories = { categories: CategoryRepository; events: EventLog };

export const removeCategory = async (
  { categories, events }: CategoryRepositories,
  category: Category,
  mergedInto?: Category,
) => {
  await categories.remove(category.id);
  await events.append({
    type: 'category.deleted',
    object: toCategoryBody(category),
    ...(mergedInto && { mergedInto: toCategoryBody(mergedInto) }),
  });
};

/**
 * After a category is deleted on PostgreSQL, a transaction that adds a pet to it may still commit. In that case, this
 * function creates the category again, without a name. Errors are ignored, because the deletion is already committed.
 */
export const restoreIfUsed = (
  { storeId }: Pick<Call, 'storeId'>,
  { writeInStore }: { writeInStore: WriteInStore<{ categories: CategoryRepository }> },
  { path: { categoryId } }: { path: { categoryId: bigint } },
): Promise<void> =>
  writeInStore(storeId, async ({ categories }) => {
    if (await categories.hasPets(categoryId)) await categories.record(categoryId);
  }).catch(() => undefined);

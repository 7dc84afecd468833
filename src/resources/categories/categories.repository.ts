import type { PageRequest } from '../../kernel/contract.ts';
import type { MaybePromise } from '../../kernel/maybe-promise.ts';
import type { Category } from './category.ts';

export type CategoryReads = {
  find(id: bigint): Promise<Category | undefined>;
  list(page: PageRequest<bigint>): Promise<Category[]>;
};

export type CategoryRepository = CategoryReads & {
  /** Holds the lock until the end of the transaction. */
  lock(id: bigint): Promise<Category | undefined>;
  /** Adds the category without a name, unless it exists. */
  record(id: bigint): MaybePromise<void>;
  recordMany(ids: ReadonlySet<bigint>): Promise<void>;
  insert(name: string, first: bigint): Promise<Category>;
  rename(id: bigint, name: string): Promise<void>;
  /** While this runs, no caller may add categories. Returns the number removed. */
  removeSome(most: number): Promise<number>;
};

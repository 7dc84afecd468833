import type { PageRequest } from '../../kernel/contract.ts';
import type { MaybePromise } from '../../kernel/maybe-promise.ts';
import type { Category } from './category.ts';

export type CategoryReads = {
  find(id: bigint): Promise<Category | undefined>;
  list(page: PageRequest<bigint>): Promise<Category[]>;
};

export type CategoryRepository = CategoryReads & {
  lock(id: bigint): Promise<Category | undefined>;
  /** Adds the category, without a name, if it does not exist yet. */
  record(id: bigint): MaybePromise<void>;
  recordMany(ids: ReadonlySet<bigint>): Promise<void>;
  insert(name: string, first: bigint): Promise<Category>;
  rename(id: bigint, name: string): Promise<void>;
  /** Removes up to `most` categories and returns how many were removed. No caller may add categories meanwhile. */
  removeSome(most: number): Promise<number>;
};

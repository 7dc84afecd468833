import type { PageRequest } from '../../kernel/contract.ts';
import type { MaybePromise } from '../../kernel/maybe-promise.ts';
import type { Category } from './category.ts';

export type CategoryReads = {
  find(id: bigint): Promise<Category | undefined>;
  list(page: PageRequest<bigint>): Promise<Category[]>;
};

export type CategoryRepository = CategoryReads & {
  lock(id: bigint): Promise<Category | undefined>;
  /** Creates a category with this id and without a name, unless it already exists. */
  record(id: bigint): MaybePromise<void>;
  recordMany(ids: ReadonlySet<bigint>): Promise<void>;
  insert(name: string, first: bigint): Promise<Category>;
  rename(id: bigint, name: string): Promise<void>;
  /** Returns the number of removed categories. No other transaction may add categories at the same time. */
  removeSome(most: number): Promise<number>;
};

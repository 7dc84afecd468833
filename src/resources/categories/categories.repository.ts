import type { PageRequest } from '../../kernel/contract.ts';
import { orNotFound } from '../../kernel/failure.ts';
import type { MaybePromise } from '../../kernel/maybe-promise.ts';
import type { Category } from './category.ts';

export type CategoryReads = {
  find(id: bigint): Promise<Category | undefined>;
  /** By id, strictly behind a position. */
  list(page: PageRequest<bigint>): Promise<Category[]>;
};

/** The categories of one store. */
export type CategoryRepository = CategoryReads & {
  /** The category as it is, kept from changing until the transaction ends. */
  lock(id: bigint): Promise<Category | undefined>;
  /** Makes sure that the category exists: one that nobody has described yet is recorded without a name. */
  record(id: bigint): MaybePromise<void>;
  recordMany(ids: ReadonlySet<bigint>): Promise<void>;
  /** Adds a category under the lowest number from `first` up that is free. */
  insert(name: string, first: bigint): Promise<Category>;
  rename(id: bigint, name: string): Promise<void>;
  /** Removes so many categories of the store, and says how many there were. Until none is left none must be added. */
  removeSome(most: number): Promise<number>;
};

/** The category, or the refusal that there is none. */
export const findCategory = async (categories: CategoryReads, id: bigint): Promise<Category> =>
  orNotFound(await categories.find(id), 'category', id);

/** The same, to change it: nobody else does until the transaction ends. */
export const lockCategory = async (categories: CategoryRepository, id: bigint): Promise<Category> =>
  orNotFound(await categories.lock(id), 'category', id);

import type { PageRequest } from '../../kernel/contract.ts';
import { orNotFound } from '../../kernel/failure.ts';
import type { MaybePromise } from '../../kernel/maybe-promise.ts';
import type { NamePosition, Pet, PetStatus } from './pet.ts';

export type PetFilter = {
  status?: PetStatus | undefined;
  categoryId?: bigint | undefined;
  ids?: readonly bigint[] | undefined;
  /** A prefix of the name, already converted by `foldName`. */
  name?: string | undefined;
};

/** `search` is part of the name, already converted by `foldName`. */
export type PetSearch = PetFilter & { sort?: 'id' | 'name' | undefined; search: string };

/** If `end` is defined, the search has read the list only up to there, so a short page may be followed by another. */
type FoundPets = { pets: (Pet & NamePosition)[]; end?: NamePosition };

export type NewPet = Pick<Pet, 'name' | 'categoryId' | 'status'>;

export type PetReads = {
  find(id: bigint): MaybePromise<Pet | undefined>;
  list(filter: Omit<PetFilter, 'name'>, page: PageRequest<bigint>): MaybePromise<Pet[]>;
  /** Sorts by the result of `foldName` and then by id. `page.after` must be the position of a pet in this list. */
  listByName(filter: PetFilter, page: PageRequest<NamePosition>): MaybePromise<(Pet & NamePosition)[]>;
  /** Sorts like `listByName` if `sort` is `name` or a prefix is given, otherwise like `list`. */
  search(search: PetSearch, page: PageRequest<NamePosition>): MaybePromise<FoundPets>;
  inventory(): Promise<Record<PetStatus, bigint>>;
};

export type PetRepository = PetReads & {
  /** Counts the store's pets. Near `limit`, transactions that add pets wait for each other, so the count is exact. */
  countForLimit(limit: number): Promise<number>;
  /** Assigns an id that no pet in this store has ever had. */
  insert(pet: NewPet): MaybePromise<Pet>;
  insertMany(pets: readonly NewPet[]): Promise<Pet[]>;
  lock(id: bigint): Promise<Pet | undefined>;
  update(pet: Pet, changes: Partial<Omit<Pet, 'id' | 'version'>>): Promise<Pet>;
  remove(pet: Pet): Promise<void>;
  removeSome(most: number): Promise<Pet[]>;
  /** Returns the pets with their new category. */
  moveSome(from: bigint, into: bigint, most: number): Promise<Pet[]>;
};

export const findPet = (pets: PetReads, id: bigint): MaybePromise<Pet> => {
  const found = pets.find(id);
  return found instanceof Promise ? found.then((pet) => orNotFound(pet, 'pet', id)) : orNotFound(found, 'pet', id);
};

export const lockPet = async (pets: PetRepository, id: bigint): Promise<Pet> =>
  orNotFound(await pets.lock(id), 'pet', id);

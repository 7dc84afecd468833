import type { PageRequest } from '../../kernel/contract.ts';
import { orNotFound } from '../../kernel/failure.ts';
import type { MaybePromise } from '../../kernel/maybe-promise.ts';
import type { NamePosition, Pet, PetStatus } from './pet.ts';

export type PetFilter = {
  status?: PetStatus | undefined;
  categoryId?: bigint | undefined;
  ids?: readonly bigint[] | undefined;
  /** Folded by `foldName`. */
  name?: string | undefined;
};

export type NewPet = Pick<Pet, 'name' | 'categoryId' | 'status'>;

export type PetReads = {
  find(id: bigint): MaybePromise<Pet | undefined>;
  list(filter: Omit<PetFilter, 'name'>, page: PageRequest<bigint>): MaybePromise<Pet[]>;
  /** Lists pets sorted by folded name and id. A page position must come from the same list, whose bound it replaces. */
  listByName(filter: PetFilter, page: PageRequest<NamePosition>): MaybePromise<(Pet & NamePosition)[]>;
  inventory(): Promise<Record<PetStatus, bigint>>;
};

export type PetRepository = PetReads & {
  /** Counts the store's pets. Near `limit`, other transactions that add pets must wait, so that the count is exact. */
  countForLimit(limit: number): Promise<number>;
  /** The new id has never been used in any store. */
  insert(pet: NewPet): MaybePromise<Pet>;
  insertMany(pets: readonly NewPet[]): Promise<Pet[]>;
  /** Holds the lock until the end of the transaction. */
  lock(id: bigint): Promise<Pet | undefined>;
  /** The pet's version increases if callers can see a difference. */
  update(pet: Pet, changes: Partial<Omit<Pet, 'id' | 'version'>>): Promise<Pet>;
  remove(pet: Pet): Promise<void>;
  removeSome(most: number): Promise<Pet[]>;
};

export const findPet = (pets: PetReads, id: bigint): MaybePromise<Pet> => {
  const found = pets.find(id);
  return found instanceof Promise ? found.then((pet) => orNotFound(pet, 'pet', id)) : orNotFound(found, 'pet', id);
};

export const lockPet = async (pets: PetRepository, id: bigint): Promise<Pet> =>
  orNotFound(await pets.lock(id), 'pet', id);

import type { PageRequest } from '../../kernel/contract.ts';
import { orNotFound } from '../../kernel/failure.ts';
import type { MaybePromise } from '../../kernel/maybe-promise.ts';
import type { NamePosition } from './pet.name.ts';
import type { Pet, PetStatus } from './pet.ts';

export type PetFilter = {
  status?: PetStatus | undefined;
  categoryId?: bigint | undefined;
  ids?: readonly bigint[] | undefined;
  /** What their folded names begin with. */
  name?: string | undefined;
};

export type NewPet = Pick<Pet, 'name' | 'categoryId' | 'status'>;

export type PetReads = {
  find(id: bigint): MaybePromise<Pet | undefined>;
  /** The animals that match every filter, by id, strictly behind the position `after`. */
  list(filter: Omit<PetFilter, 'name'>, page: PageRequest<bigint>): MaybePromise<Pet[]>;
  /** The same by folded name, and those of one name by id. A position must be one of the list: it takes the place of a bound. */
  listByName(filter: PetFilter, page: PageRequest<NamePosition>): MaybePromise<(Pet & NamePosition)[]>;
  /** How many animals there are of each status, in a time that does not grow with their number. */
  inventory(): Promise<Record<PetStatus, bigint>>;
};

/** The pets of one store. */
export type PetRepository = PetReads & {
  /**
   * Counts the pets of the store before some are added. Near `most`, transactions that add pets wait for one another, so
   * that the count stays exact until this one ends.
   */
  countUpTo(most: number): Promise<number>;
  /** Gives the animal an id that was never used before, in any store. */
  insert(pet: NewPet): MaybePromise<Pet>;
  /** The same for many, which costs less than one after another. */
  insertMany(pets: readonly NewPet[]): Promise<Pet[]>;
  /** The animal as it is, kept from changing until the transaction ends. */
  lock(id: bigint): Promise<Pet | undefined>;
  /**
   * Puts `changes` in the place of what was there, and returns the animal: at its next version, if anything that callers
   * can see of it has changed.
   */
  update(pet: Pet, changes: Partial<Omit<Pet, 'id' | 'version'>>): Promise<Pet>;
  remove(pet: Pet): Promise<void>;
  /** Removes so many animals of the store, the oldest first, and returns them as they were. */
  removeSome(most: number): Promise<Pet[]>;
};

/** The animal, or the refusal that there is none. */
export const findPet = (pets: PetReads, id: bigint): MaybePromise<Pet> => {
  const pet = pets.find(id);
  return pet instanceof Promise ? pet.then((found) => orNotFound(found, 'pet', id)) : orNotFound(pet, 'pet', id);
};

/** The same, to change it: nobody else does until the transaction ends. */
export const lockPet = async (pets: PetRepository, id: bigint): Promise<Pet> =>
  orNotFound(await pets.lock(id), 'pet', id);

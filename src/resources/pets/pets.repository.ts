import type { PageRequest } from '../../kernel/contract.ts';
import { orNotFound } from '../../kernel/failure.ts';
import type { MaybePromise } from '../../kernel/runtime.ts';
import type { NamePosition, Pet, PetStatus } from './pet.ts';

export type PetFilter = {
  status?: PetStatus | undefined;
  categoryId?: bigint | undefined;
  ids?: readonly bigint[] | undefined;
  /** A prefix of the name, already converted by `foldName`. */
  name?: string | undefined;
  sort?: 'id' | 'name' | undefined;
};

/** `search` is text that the name must contain, already converted by `foldName`. */
export type PetSearch = PetFilter & { search: string };

/** If a search or a listing of one category's pets stopped early, `end` is the position where it stopped. */
type FoundPets = { pets: (Pet & NamePosition)[]; end?: NamePosition };

export const isByName = ({ sort, name }: Pick<PetFilter, 'sort' | 'name'>): boolean =>
  sort === 'name' || name !== undefined;

export type NewPet = Pick<Pet, 'name' | 'categoryId' | 'status'>;

export type PetReads = {
  find(id: bigint): MaybePromise<Pet | undefined>;
  list(filter: Omit<PetFilter, 'name'>, page: PageRequest<bigint>): MaybePromise<Pet[]>;
  /** Sorts by folded name, then by id. `page.after` must be a pet's position in this list, or the `end` of a page. */
  listByName(filter: PetFilter, page: PageRequest<NamePosition>): Promise<FoundPets>;
  search(search: PetSearch, page: PageRequest<NamePosition>): Promise<FoundPets>;
  inventory(): Promise<Record<PetStatus, bigint>>;
};

export type PetRepository = PetReads & {
  /** If the count is near `limit`, transactions that add pets wait for each other, so that the count is exact. */
  countForLimit(limit: number): Promise<number>;
  /** The new pet never gets the id of a deleted pet. */
  insert(pet: NewPet): MaybePromise<Pet>;
  insertMany(pets: readonly NewPet[]): Promise<Pet[]>;
  lock(id: bigint): Promise<Pet | undefined>;
  update(pet: Pet, changes: Partial<Omit<Pet, 'id' | 'version'>>): Promise<Pet>;
  remove(pet: Pet): Promise<void>;
  removeSome(most: number): Promise<Pet[]>;
  moveSome(from: bigint, into: bigint, most: number): Promise<Pet[]>;
};

export const findPet = (pets: PetReads, id: bigint): MaybePromise<Pet> => {
  const found = pets.find(id);
  return found instanceof Promise ? found.then((pet) => orNotFound(pet, 'pet', id)) : orNotFound(found, 'pet', id);
};

export const lockPet = async (pets: PetRepository, id: bigint): Promise<Pet> =>
  orNotFound(await pets.lock(id), 'pet', id);

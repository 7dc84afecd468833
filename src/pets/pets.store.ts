import type { PageRequest } from '../kernel/contract.ts';
import type { Pet, PetStatus } from './pet.ts';

export type PetFilter = {
  status?: PetStatus | undefined;
  categoryId?: bigint | undefined;
  ids?: readonly bigint[] | undefined;
};

export type PetReads = {
  find(id: bigint): Promise<Pet | undefined>;
  /** The animals that match every filter, by id, strictly behind the position `after`. */
  list(filter: PetFilter, page: PageRequest<bigint>): Promise<Pet[]>;
  /** How many animals there are of each status, in a time that does not grow with their number. */
  inventory(): Promise<Record<PetStatus, bigint>>;
};

/** The animals of one store. */
export type PetStore = PetReads & {
  /** Gives the animal an id that was never used before, in any store. */
  insert(pet: Pick<Pet, 'name' | 'categoryId' | 'status'>): Promise<Pet>;
  /** Notes which open order holds the animal. */
  hold(id: bigint, orderId: bigint): Promise<void>;
  /** Removes every animal of the store, and returns them as they were. */
  removeAll(): Promise<Pet[]>;
};

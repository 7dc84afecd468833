/** Categories of every new store. Their ids are 1 to 6. */
export const FIRST_CATEGORIES = ['Dogs', 'Cats', 'Birds', 'Fish', 'Reptiles', 'Small mammals'] as const;

export type Reset = { storeId: bigint; keyId: string | null; requestId: string | null };

export type StoreReads = { countPets(storeId: bigint): Promise<bigint> };

export type ResetReads = {
  find(storeId: bigint): Promise<Reset | undefined>;
  /** Lists up to `most` resets that have made no progress since `since`. */
  listAbandoned(since: number, most: number): Promise<Reset[]>;
};

/** The stores of this deployment. Every pet, category, order and event belongs to one store. */
export type StoreRepository = {
  /** Opens the store with its initial categories. Returns false if the store already exists. */
  open(id: bigint): Promise<boolean>;
  /** Opens a store under an unused number. Returns the number. */
  openNext(): Promise<bigint>;
  addFirstCategories(id: bigint): Promise<void>;
  /** If the result is false, no reset can remove rows of the store until the end of the transaction. */
  isResetting(id: bigint): Promise<boolean>;
  beginReset(reset: Reset): Promise<void>;
  /** Waits for earlier changes, then locks the reset and records progress. Returns false if no reset is running. */
  continueReset(id: bigint): Promise<boolean>;
  endReset(id: bigint): Promise<void>;
};

/** Categories of every new store, with ids 1 to 6. */
export const FIRST_CATEGORIES = ['Dogs', 'Cats', 'Birds', 'Fish', 'Reptiles', 'Small mammals'] as const;

/** A store that is being reset, with the key and request that started the reset. */
export type Reset = { storeId: bigint; keyId: string | null; requestId: string | null };

export type StoreReads = { countPets(storeId: bigint): Promise<bigint> };

export type ResetReads = {
  find(storeId: bigint): Promise<Reset | undefined>;
  /** Lists up to `most` resets without progress since `since`. */
  listAbandoned(since: number, most: number): Promise<Reset[]>;
};

/** The stores of this deployment. Every catalogue row belongs to one store. */
export type StoreRepository = {
  /** Opens the store with its initial categories; false if it already exists. */
  open(id: bigint): Promise<boolean>;
  /** Opens a store under an unused number. */
  openNext(): Promise<bigint>;
  addFirstCategories(id: bigint): Promise<void>;
  /** If the result is false, no reset can remove anything until the end of the transaction. */
  isResetting(id: bigint): Promise<boolean>;
  beginReset(reset: Reset): Promise<void>;
  /** Waits for earlier changes, locks the reset for this transaction and records progress. False if none is running. */
  continueReset(id: bigint): Promise<boolean>;
  endReset(id: bigint): Promise<void>;
};

export const FIRST_CATEGORIES = ['Dogs', 'Cats', 'Birds', 'Fish', 'Reptiles', 'Small mammals'] as const;

export type Reset = { storeId: bigint; keyId: string | null; requestId: string | null };

export type StoreReads = {
  countPets(storeId: bigint): Promise<bigint>;
  findReset(storeId: bigint): Promise<Reset | undefined>;
  listAbandonedResets(since: number, most: number): Promise<Reset[]>;
};

export type StoreRepository = StoreReads & {
  open(id: bigint): Promise<boolean>;
  openNext(): Promise<bigint>;
  addFirstCategories(id: bigint): Promise<void>;
  /** If this returns false, no reset can begin until the transaction ends. */
  isResetting(id: bigint): Promise<boolean>;
  beginReset(reset: Reset): Promise<void>;
  /** Waits for transactions that began before the reset. Returns false if no reset is running. */
  continueReset(id: bigint): Promise<boolean>;
  endReset(id: bigint): Promise<void>;
};

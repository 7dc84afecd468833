import type { Reset } from './store.ts';

/** Counts the pets of any store. */
export type StoreReads = { countPets(storeId: bigint): Promise<bigint> };

/** Resets that are under way. */
export type ResetReads = {
  find(storeId: bigint): Promise<Reset | undefined>;
  /** Up to `most` resets without progress since then. */
  listLeft(since: number, most: number): Promise<Reset[]>;
};

/** The shops that this deployment serves. Every row of a catalogue belongs to one of them. */
export type StoreRepository = {
  /** Opens the store with its first categories; false if it was open already. */
  open(id: bigint): Promise<boolean>;
  /** Opens a store under an unused number. */
  openNext(): Promise<bigint>;
  addFirstCategories(id: bigint): Promise<void>;
  /** If false, no reset removes anything until the transaction ends. */
  isResetting(id: bigint): Promise<boolean>;
  /** Marks the store as being reset. */
  beginReset(reset: Reset): Promise<void>;
  /** Locks the reset until the transaction ends, and marks progress; false if there is none. Waits for earlier changes. */
  continueReset(id: bigint): Promise<boolean>;
  endReset(id: bigint): Promise<void>;
};

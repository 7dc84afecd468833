import type { Reset } from './store.ts';

/** Counts the pets of any store. */
export type StoreReads = { countPets(storeId: bigint): Promise<bigint> };

/** The resets of stores that are under way. */
export type ResetReads = {
  find(storeId: bigint): Promise<Reset | undefined>;
  /** Some of those about which nothing was done since then. */
  listLeft(since: number, most: number): Promise<Reset[]>;
};

/** The shops that this deployment serves. Every row of a catalogue belongs to one of them. */
export type StoreRepository = {
  /** Opens the store with its first categories, unless it is open already; says whether it did. */
  open(id: bigint): Promise<boolean>;
  /** Opens a store under a number that nobody has used. */
  openNext(): Promise<bigint>;
  /** Adds the categories that a store has at first. */
  addFirstCategories(id: bigint): Promise<void>;
  /** Whether the store is being reset. If it is not, no reset takes anything away until the transaction ends. */
  isResetting(id: bigint): Promise<boolean>;
  /** Notes that the store is being reset: whoever asks from its commit on is told so. */
  beginReset(reset: Reset): Promise<void>;
  /**
   * Notes that something is done about the reset now, and keeps others from it until the transaction ends; false if there
   * is none. Waits for those who were told that there was none.
   */
  continueReset(id: bigint): Promise<boolean>;
  endReset(id: bigint): Promise<void>;
};

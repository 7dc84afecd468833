/** The shops that this deployment serves. Every row of a catalogue belongs to one of them. */
export type StoreRepository = {
  /** Opens the store with its first categories, unless it is open already; says whether it did. */
  open(id: bigint): Promise<boolean>;
  /** Opens a store under a number that nobody has used. */
  openNext(): Promise<bigint>;
  /** Keeps the store to the transaction until it ends: others that ask for it wait. */
  lock(id: bigint): Promise<void>;
  /** Brings the categories of a store back to those it had at first. */
  restoreCategories(id: bigint): Promise<void>;
};

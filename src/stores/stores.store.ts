/** The shops that this deployment serves. Every row of a catalogue belongs to one of them. */
export type StoreStore = {
  /** Opens the store with its first categories, unless it is open already. */
  open(id: bigint): Promise<void>;
};

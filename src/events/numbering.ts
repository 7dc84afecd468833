/**
 * How the events of a store get their sequence: it rises without gaps, and whoever has seen a number never later finds
 * an event below it.
 */
export type Numbering = {
  /** The number of an event that is being written; null where it gets one after its commit. */
  next(storeId: bigint): Promise<bigint | null>;
  /** Resolves once every event that is committed has its number: in one store, or in all. */
  settle(storeId?: bigint): Promise<void>;
  /** Hears of each commit that wrote events. */
  committed(storeId: bigint): void;
};

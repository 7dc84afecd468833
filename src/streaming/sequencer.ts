import type { MaybePromise } from '../kernel/maybe-promise.ts';

/** `hasMore` is true if more events may need a number, `hasDeliveries` if the store has pending deliveries. */
export type Assigned = { hasMore: boolean; hasDeliveries: boolean };

/** Assigns sequences without gaps to a store's events. Once a reader has seen a sequence, no lower one appears. */
export type Sequencer = {
  /** Returns the first of `count` new sequences. Returns null if sequences are assigned only after the commit. */
  next(storeId: bigint, count: number): MaybePromise<bigint | null>;
  /** Resolves once every committed event has a sequence, in one store or in all stores. */
  assignPending(storeId?: bigint): Promise<void>;
  /** Assigns some sequence numbers in one statement. */
  assignSome(storeId: bigint): Promise<Assigned>;
  /** Returns the time of the oldest committed event without a sequence; undefined if every event has a sequence. */
  pendingSince(): Promise<number | undefined>;
  /** Must be called after each commit that wrote events. */
  committed(storeId: bigint): void;
};

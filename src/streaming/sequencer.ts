import type { MaybePromise } from '../kernel/maybe-promise.ts';

/** `hasMore`: more events may need a number. `hasDeliveries`: the store has pending deliveries. */
export type Assigned = { hasMore: boolean; hasDeliveries: boolean };

/** Gives a store's events numbers without gaps. Once a reader has seen a number, no lower number appears later. */
export type Sequencer = {
  /** Returns the first of `count` new numbers, or null if numbers are assigned after the commit. */
  next(storeId: bigint, count: number): MaybePromise<bigint | null>;
  /** Resolves once every committed event has a number, in one store or in all stores. */
  assignPending(storeId?: bigint): Promise<void>;
  assignSome(storeId: bigint): Promise<Assigned>;
  /** Returns the time of the oldest committed event without a number, or undefined if every event has one. */
  pendingSince(): Promise<number | undefined>;
  /** Must be called after each commit that wrote events. */
  committed(storeId: bigint): void;
};

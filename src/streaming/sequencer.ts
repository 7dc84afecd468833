import type { MaybePromise } from '../kernel/maybe-promise.ts';

/** Numbers a store's events without gaps. Once a reader has seen a sequence, no event with a lower sequence appears. */
export type Sequencer = {
  /** Returns the first of `count` new sequences; null if sequences are assigned after the commit. */
  next(storeId: bigint, count: number): MaybePromise<bigint | null>;
  /** Resolves once every committed event has a sequence, in one store or in all stores. */
  assignPending(storeId?: bigint): Promise<void>;
  /** Assigns some sequences inside a transaction. True if there may be more to assign. */
  assignSome(storeId: bigint): Promise<boolean>;
  /** When the oldest committed event without a sequence occurred; undefined if there is none. */
  pendingSince(): Promise<number | undefined>;
  /** Called after each commit that wrote events. */
  committed(storeId: bigint): void;
};

import type { MaybePromise } from '../kernel/maybe-promise.ts';

/**
 * How the events of a store get their sequence: it rises without gaps, and whoever has seen a number never later finds
 * an event below it.
 */
export type Sequencer = {
  /** The first number of so many events that are being written; null where they get theirs after the commit. */
  next(storeId: bigint, count: number): MaybePromise<bigint | null>;
  /** Resolves once every event that is committed has its number: in one store, or in all. */
  assignPending(storeId?: bigint): Promise<void>;
  /** Inside a transaction: gives some of them theirs, and says whether there may be more. */
  assignSome(storeId: bigint): Promise<boolean>;
  /** When the oldest event that is committed and has no number yet happened; undefined if all have theirs. */
  pendingSince(): Promise<number | undefined>;
  /** Hears of each commit that wrote events. */
  committed(storeId: bigint): void;
};

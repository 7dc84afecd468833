import type { MaybePromise } from '../kernel/maybe-promise.ts';

/** Numbers the events of a store without gaps. A reader that has seen a sequence never later finds an event below it. */
export type Sequencer = {
  /** The first of `count` new sequences; null where events get theirs after the commit. */
  next(storeId: bigint, count: number): MaybePromise<bigint | null>;
  /** Resolves once every committed event has its sequence, in one store or in all. */
  assignPending(storeId?: bigint): Promise<void>;
  /** Assigns some sequences inside a transaction; true if there may be more to assign. */
  assignSome(storeId: bigint): Promise<boolean>;
  /** When the oldest committed event without a sequence happened; undefined if there is none. */
  pendingSince(): Promise<number | undefined>;
  /** Called after each commit that wrote events. */
  committed(storeId: bigint): void;
};

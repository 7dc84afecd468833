import type { MaybePromise } from '../kernel/runtime.ts';

export type Assigned = { hasMore: boolean; hasDeliveries: boolean };

/** Numbers a store's events without gaps. Once a reader has seen a number, no lower number can appear later. */
export type Sequencer = {
  /** Returns the first of `count` new numbers, or null if the numbers are assigned after the commit. */
  next(storeId: bigint, count: number): MaybePromise<bigint | null>;
  assignPending(storeId?: bigint): Promise<void>;
  /** Unlike `assignPending`, continues with the other stores after a failure, and then throws the first error. */
  assignAll(): Promise<void>;
  assignSome(storeId: bigint): Promise<Assigned>;
  pendingSince(): Promise<number | undefined>;
  /** Must be called after each commit that wrote events. */
  committed(storeId: bigint): void;
};

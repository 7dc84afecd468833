import type { Group, Outcome } from './group-transaction.ts';

/** What a group needs of the disk. The event loop runs meanwhile. */
export type Disk = {
  /** Resolves once all commits are on disk and can be read. Until then nothing more is committed. */
  sync(): Promise<void>;
  /** Completes the current sync, if any, before it returns. */
  syncNow(): void;
  /** Whether `finishCheckpoint` must run before the next transaction begins. */
  needsCheckpoint(): boolean;
  /** Runs only while there is neither a transaction nor a sync. */
  finishCheckpoint(): Promise<void>;
};

/** A larger group would keep readers waiting longer than it saves. */
export const LARGEST_GROUP = 256;

/** Processor time of a request that writes, roughly. */
const REQUEST_MS = 0.1;

export const settle = ({ transactions, outcomes }: Group): void => {
  for (const [index, transaction] of transactions.entries()) transaction.settle(outcomes[index] as Outcome);
};
export const failed = ({ transactions }: Group, error: unknown): Group => ({
  transactions,
  outcomes: transactions.map(() => ({ error })),
});

/** Called after the sync of each group. */
export type NoteSync = (transactions: number, syncMs: number) => void;

type Deps = { disk: Disk; elapsed(): number; pending(): number; ended(): void; noteSync?: NoteSync | undefined };

/** Syncs one group at a time. The caller decides when a synced group is answered. */
export const createSyncs = ({ disk, elapsed, pending, ended, noteSync }: Deps) => {
  let syncing: Group | undefined;
  let synced: Group | undefined;
  let freeAt = 0;
  let syncMs = Number.POSITIVE_INFINITY;
  /** Estimated concurrent writers: the group synced last, and those already waiting. */
  let writers = 0;

  return {
    async start(group: Group): Promise<void> {
      const beganAt = elapsed();
      syncing = group;
      try {
        await disk.sync();
        noteSync?.(group.transactions.length, elapsed() - beganAt);
        synced = group;
      } catch (error) {
        synced = failed(group, error);
      }
      syncing = undefined;
      freeAt = elapsed();
      // The event loop may notice the end late, so the shortest recent sync is the best estimate.
      syncMs = Math.min(freeAt - beganAt, syncMs * 1.02 + 0.01);
      writers = pending();
      ended();
    },

    isUnderway: () => syncing !== undefined,

    /** The oldest transaction not answered yet. */
    first: () => (synced ?? syncing)?.transactions[0],

    answer(): void {
      if (synced) settle(synced);
      synced = undefined;
    },

    /**
     * Whether to wait for more writers before the next commit, given the size of the group. If all writers can be back
     * within one sync, they share it instead of alternating between two. Waits at most half a sync.
     */
    shouldWait: (count: number): boolean =>
      count < Math.min(writers, LARGEST_GROUP) && writers * REQUEST_MS < syncMs && elapsed() - freeAt < syncMs / 2,
  };
};

import type { Group, Outcome } from './group-transaction.ts';

/** What a group needs of the disk. The event loop goes on meanwhile. */
export type Disk = {
  /** Resolves once all that was committed is on disk and can be read. Until then nothing more is committed. */
  sync(): Promise<void>;
  /** Ends the sync that is under way, if one is, before it returns. */
  syncNow(): void;
  /** Whether `finishCheckpoint` is wanted before the next transaction begins. */
  needsCheckpoint(): boolean;
  /** Runs while there is neither a transaction nor a sync. */
  finishCheckpoint(): Promise<void>;
};

/** A group is one sync of the disk; a larger one would keep readers waiting longer than it saves. */
export const LARGEST_GROUP = 256;

/** What a request that writes takes of the processor, more or less. */
const REQUEST_MS = 0.1;

export const settle = ({ transactions, outcomes }: Group): void => {
  for (const [index, transaction] of transactions.entries()) transaction.settle(outcomes[index] as Outcome);
};
export const failed = ({ transactions }: Group, error: unknown): Group => ({
  transactions,
  outcomes: transactions.map(() => ({ error })),
});

/** Hears of each group that was synced: how many transactions it had, and how long its sync took. */
export type NoteSync = (transactions: number, syncMs: number) => void;

type Deps = { disk: Disk; elapsed(): number; unanswered(): number; ended(): void; noteSync?: NoteSync | undefined };

/** One group at a time is synced; whoever starts the next says when it is answered. */
export const createSyncs = ({ disk, elapsed, unanswered, ended, noteSync }: Deps) => {
  let syncing: Group | undefined;
  let synced: Group | undefined;
  let freeAt = 0;
  let syncMs = Number.POSITIVE_INFINITY;
  /** So many write all the time: those who were synced last, and those who wait already. */
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
      // The loop may have been busy when the disk was done, so that the shortest of late is the best guess.
      syncMs = Math.min(freeAt - beganAt, syncMs * 1.02 + 0.01);
      writers = unanswered();
      ended();
    },

    isUnderway: () => syncing !== undefined,

    /** Of those that it has and that are not answered, the one that came first. */
    first: () => (synced ?? syncing)?.transactions[0],

    answer(): void {
      if (synced) settle(synced);
      synced = undefined;
    },

    /**
     * Whether the disk waits until all who write are in the next group, which has so many now: if all can be back before
     * a sync has passed, they share one and need not take turns with two. It waits no longer than half of one.
     */
    paysToWait: (count: number): boolean =>
      count < Math.min(writers, LARGEST_GROUP) && writers * REQUEST_MS < syncMs && elapsed() - freeAt < syncMs / 2,
  };
};

import { closeSync, fdatasync, fdatasyncSync, openSync } from 'node:fs';
import type { Health } from './health.ts';

/** Resolves once all that was written to an open file, by whomever, is on disk. */
export type SyncFile = (file: number) => Promise<void>;

/** Returns once it is. */
export type SyncFileNow = (file: number) => void;

type Syncs = { syncFile?: SyncFile | undefined; syncFileNow?: SyncFileNow | undefined };

/** In a thread of the runtime's pool. */
const syncByThread: SyncFile = (file) =>
  new Promise((resolve, reject) => {
    fdatasync(file, (error) => (error ? reject(error) : resolve()));
  });

/**
 * The log of an SQLite file (`-wal`), which is there as long as a connection is open. The descriptors stay open too: a
 * failure to write is reported to those that were open when it came, once to each. So there are two, one for each way to
 * sync, and of neither are two syncs under way: one could be told what the other has to know.
 */
export const openWal = (
  path: string,
  health: Health,
  { syncFile = syncByThread, syncFileNow = fdatasyncSync }: Syncs = {},
) => {
  const [file, fileForNow] = [openSync(`${path}-wal`, 'r+'), openSync(`${path}-wal`, 'r+')];
  let lastByThread: Promise<unknown> = Promise.resolve();
  let underway: { resolve(): void; reject(error: unknown): void } | undefined;

  /** After one that failed, none has gone well. */
  const end = (sync: typeof underway): void => {
    if (underway === sync) underway = undefined;
    try {
      // Something else may have failed meanwhile.
      health.mustWork();
      sync?.resolve();
    } catch (failure) {
      sync?.reject(failure);
    }
  };

  return {
    /**
     * After a failed sync nobody knows what is on disk, and a second one would succeed without having written anything:
     * nothing is written from then on until the next start, which reads the log anew.
     */
    sync: (): Promise<void> =>
      new Promise((resolve, reject) => {
        const sync = { resolve, reject };
        underway = sync;
        lastByThread = lastByThread
          .then(() => (underway === sync && !health.isBroken() ? syncFile(file) : undefined))
          .catch(health.fail)
          .then(() => end(sync));
      }),

    /** Ends the sync that is under way before it returns: for when the event loop does not come round to hear of its end. */
    syncNow: (): void => {
      if (!underway) return;
      try {
        syncFileNow(fileForNow);
      } catch (error) {
        health.fail(error);
      }
      end(underway);
    },
    close: (): void => {
      closeSync(file);
      closeSync(fileForNow);
    },
  };
};

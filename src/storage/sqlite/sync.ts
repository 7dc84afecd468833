import { closeSync, fdatasync, fdatasyncSync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Health } from './health.ts';

/** Resolves once everything written to an open file, also by other descriptors, is on disk. */
export type SyncFile = (file: number) => Promise<void>;

export type SyncFileNow = (file: number) => void;

type Syncs = { syncFile?: SyncFile | undefined; syncFileNow?: SyncFileNow | undefined };

const syncByThread: SyncFile = promisify(fdatasync);

/**
 * Syncs the log of an SQLite file (`-wal`), which exists while a connection is open. Linux reports a write error once per
 * descriptor that was open at the time. So the descriptors stay open, one for each kind of sync, and no two syncs share
 * one at a time.
 */
export const openWal = (
  path: string,
  health: Health,
  { syncFile = syncByThread, syncFileNow = fdatasyncSync }: Syncs = {},
) => {
  const [file, fileForNow] = [openSync(`${path}-wal`, 'r+'), openSync(`${path}-wal`, 'r+')];
  let lastByThread: Promise<unknown> = Promise.resolve();
  let underway: { resolve(): void; reject(error: unknown): void } | undefined;

  /** After a failure no sync succeeds, whatever has failed. */
  const end = (sync: typeof underway): void => {
    if (underway === sync) underway = undefined;
    try {
      health.mustWork();
      sync?.resolve();
    } catch (failure) {
      sync?.reject(failure);
    }
  };

  return {
    /**
     * After a failed sync nobody knows what is on disk, and a second one would succeed without writing anything. So nothing
     * is written until the next start, which rewrites the log.
     */
    sync: (): Promise<void> => {
      const { promise, ...sync } = Promise.withResolvers<void>();
      underway = sync;
      lastByThread = lastByThread
        .then(() => (underway === sync && !health.isBroken ? syncFile(file) : undefined))
        .catch(health.fail)
        .then(() => end(sync));
      return promise;
    },

    /** Completes the current sync before it returns, for a blocked event loop. */
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

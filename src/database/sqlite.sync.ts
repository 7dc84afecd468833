import { closeSync, fdatasync, openSync } from 'node:fs';
import type { Health } from './sqlite.health.ts';

/** Resolves once all that was written to an open file, by whomever, is on disk. */
export type SyncFile = (file: number) => Promise<void>;

/** In a thread of the runtime's pool. */
const syncByThread: SyncFile = (file) =>
  new Promise((resolve, reject) => {
    fdatasync(file, (error) => (error ? reject(error) : resolve()));
  });

/**
 * The log of an SQLite file (`-wal`), which is there as long as a connection is open. The descriptor stays open too: a
 * failure to write is reported to those that were open when it came.
 */
export const openWal = (path: string, health: Health, syncFile: SyncFile = syncByThread) => {
  const file = openSync(`${path}-wal`, 'r+');

  return {
    /**
     * After a failed sync nobody knows what is on disk, and a second one would succeed without having written anything:
     * nothing is written from then on until the next start, which reads the log anew.
     */
    async sync(): Promise<void> {
      try {
        await syncFile(file);
      } catch (error) {
        throw health.fail(error);
      }
      // Something else may have failed meanwhile.
      health.mustWork();
    },
    close: (): void => closeSync(file),
  };
};

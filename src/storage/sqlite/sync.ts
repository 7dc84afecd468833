import { closeSync, fdatasync, fdatasyncSync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Failure } from '../../kernel/failure.ts';
import { storageFailure } from './connection.ts';

export type Health = ReturnType<typeof createHealth>;

/** After the first failure, nothing may be written until the service starts again. */
export const createHealth = (broke: (cause: unknown) => void) => {
  const health = {
    failure: undefined as Failure | undefined,
    fail(cause: unknown): Failure {
      if (health.failure) return health.failure;
      health.failure = storageFailure(cause, { isLogged: true });
      broke(cause);
      return health.failure;
    },
  };
  return health;
};

/** The function must also sync data that was written through other descriptors of the file. */
export type SyncFile = (file: number) => Promise<void>;

export type SyncFileNow = (file: number) => void;

type Syncs = { syncFile?: SyncFile | undefined; syncFileNow?: SyncFileNow | undefined };

const syncByThread: SyncFile = promisify(fdatasync);

/**
 * The WAL must exist. Linux reports a write error once to each descriptor that was open when the error occurred.
 * Therefore, `sync` and `syncNow` use separate descriptors, and both stay open.
 */
export const openWal = (
  path: string,
  health: Health,
  { syncFile = syncByThread, syncFileNow = fdatasyncSync }: Syncs = {},
) => {
  const [file, fileForNow] = [openSync(`${path}-wal`, 'r+'), openSync(`${path}-wal`, 'r+')];
  let lastByThread: Promise<void> = Promise.resolve();
  let end: (() => void) | undefined;

  const syncInTurn = async (before: Promise<void>, resolve: () => void): Promise<void> => {
    await before;
    try {
      if (end === resolve && !health.failure) await syncFile(file);
    } catch (error) {
      health.fail(error);
    }
    if (end === resolve) end = undefined;
    resolve();
  };

  return {
    /** After a failed sync, a second sync would succeed without writing anything, so this process stops writing. */
    async sync(): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>();
      end = resolve;
      lastByThread = syncInTurn(lastByThread, resolve);
      await promise;
      // `syncNow` may have failed in the meantime. After any failure, no sync may report success.
      if (health.failure) throw health.failure;
    },

    syncNow: (): void => {
      if (!end) return;
      try {
        syncFileNow(fileForNow);
      } catch (error) {
        health.fail(error);
      }
      end();
      end = undefined;
    },
    close: (): void => {
      closeSync(file);
      closeSync(fileForNow);
    },
  };
};

export type Wal = ReturnType<typeof openWal>;

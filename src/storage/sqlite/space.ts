import { constants, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isOfKind, isUnsynced, storageFailure } from './connection.ts';
import { openFile } from './files.ts';

const NO_SPACE: readonly unknown[] = ['ENOSPC', 'EDQUOT'];
/** Larger than a block in any common file system, so that the test write fails on a full disk. */
const TRIAL_BYTES = 64 * 1024;

export const freeBytesAt = (folder: string): number => {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
};

export const MB = 1_000_000;
export const megabytes = (bytes: number): string => `${Math.ceil(bytes / MB).toLocaleString('en')} MB`;

// Does not follow links, because an attacker could use a link to make root write to any file. `O_EXCL` is not set,
// because two threads may test for space at the same time.
const TRIAL = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW;

const hasRoomFor = (path: string): boolean => {
  try {
    using file = openFile(path, TRIAL);
    writeFileSync(file.fd, new Uint8Array(TRIAL_BYTES));
    return true;
  } catch (error) {
    return !NO_SPACE.includes((error as NodeJS.ErrnoException).code);
  } finally {
    rmSync(path, { force: true });
  }
};

/**
 * SQLite reports a plain I/O error if a quota is exhausted (EDQUOT) or if the WAL index (`-shm`) cannot grow. After an
 * I/O error of this kind, this function writes a file to test whether the disk is full.
 */
export const isOutOfSpace = (error: unknown, file: string): boolean =>
  isOfKind(error, /^SQLITE_FULL/) || (isOfKind(error, /^SQLITE_IOERR_(WRITE|SHMSIZE)/) && !hasRoomFor(`${file}.space`));

export type Fault = 'full' | 'unsynced';
export const faultOf = (error: unknown, file: string): Fault | undefined => {
  if (isOutOfSpace(error, file)) return 'full';
  return isUnsynced(error) ? 'unsynced' : undefined;
};

/** If only checkpoints fail, the service can still write, because the pages stay in the WAL. */
type Shortage = 'write' | 'checkpoint';

export type SpaceEvents = { ranOut(what: Shortage, freeBytes: number): void; recovered(freeBytes: number): void };

export type Space = ReturnType<typeof createSpace>;

/** Tests for free space by writing, because `statfs` ignores quotas. */
export const createSpace = (file: string, { ranOut, recovered }: SpaceEvents) => {
  const shortages = new Set<Shortage>();
  let hasFailed = false;
  let judged: { error: unknown; isFull: boolean } = { error: undefined, isFull: false };
  const freeBytes = (): number => freeBytesAt(dirname(file));

  const begin = (what: Shortage): void => {
    if (shortages.size === 0) ranOut(what, freeBytes());
    shortages.add(what);
  };
  const end = (what: Shortage): void => {
    if (shortages.delete(what) && shortages.size === 0) recovered(freeBytes());
  };

  return {
    /** If the disk is full, `ranOut` has reported the shortage, so the thrown error counts as already logged. */
    noteWrite(error: unknown): never {
      // A whole group fails with the same error. `isOutOfSpace` may write a file, so it runs only once per error.
      if (judged.error !== error) judged = { error, isFull: isOutOfSpace(error, file) };
      if (!judged.isFull) throw error;
      hasFailed = true;
      begin('write');
      throw storageFailure(error, { isLogged: true });
    },
    checkpointFailed: (): void => begin('checkpoint'),
    checkpointed: (): void => end('checkpoint'),
    canWrite: (): boolean => !shortages.has('write'),
    isShort: (): boolean => shortages.size > 0,
    /** A nearly full disk still accepts some writes, so the shortage ends only if no write fails between two probes. */
    async probe(write: () => Promise<unknown>): Promise<void> {
      const hadFailed = hasFailed;
      hasFailed = false;
      await write();
      if (!hadFailed && !hasFailed) end('write');
    },
  };
};

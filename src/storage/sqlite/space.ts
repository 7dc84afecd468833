import { constants, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isOfKind, isUnsynced, storageFailure } from './connection.ts';
import { openFile } from './files.ts';

const NO_SPACE: readonly unknown[] = ['ENOSPC', 'EDQUOT'];
/** Bytes to write to find out whether the disk is full. This is more than a block of any common file system. */
const TRIAL_BYTES = 64 * 1024;

export const freeBytesAt = (folder: string): number => {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
};

export const MB = 1_000_000;
export const megabytes = (bytes: number): string => `${Math.ceil(bytes / MB).toLocaleString('en')} MB`;

/**
 * Does not follow links, because they could make root write to another file. The flag `O_EXCL` is not set, because two
 * threads can test the space at the same time.
 */
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
 * SQLite has an error code only for ENOSPC. It reports a used-up quota (EDQUOT), or a WAL index (`-shm`) that cannot
 * grow, as a plain I/O error. After such an error, this function tries to write a file.
 */
export const isOutOfSpace = (error: unknown, file: string): boolean =>
  isOfKind(error, /^SQLITE_FULL/) || (isOfKind(error, /^SQLITE_IOERR_(WRITE|SHMSIZE)/) && !hasRoomFor(`${file}.space`));

/** `unsynced` means that a sync failed in a commit or checkpoint, so nobody knows which pages are on disk. */
export type Fault = 'full' | 'unsynced';
export const faultOf = (error: unknown, file: string): Fault | undefined => {
  if (isOutOfSpace(error, file)) return 'full';
  return isUnsynced(error) ? 'unsynced' : undefined;
};

/** After a failed checkpoint, writes still work, because the pages stay in the WAL. */
type Shortage = 'write' | 'checkpoint';

export type SpaceEvents = {
  ranOut(what: Shortage, freeBytes: number): void;
  recovered(freeBytes: number): void;
};

export type Space = ReturnType<typeof createSpace>;

/** Only a write shows whether there is space, because `statfs` ignores quotas. */
export const createSpace = (file: string, { ranOut, recovered }: SpaceEvents) => {
  const shortages = new Set<Shortage>();
  let hasFailed = false;
  let judged: { error: unknown; isFull: boolean } = { error: undefined, isFull: false };
  const freeBytes = (): number => freeBytesAt(dirname(file));

  const begin = (what: Shortage): void => {
    const isNew = shortages.size === 0;
    shortages.add(what);
    if (isNew) ranOut(what, freeBytes());
  };
  const end = (what: Shortage): void => {
    if (shortages.delete(what) && shortages.size === 0) recovered(freeBytes());
  };

  return {
    /** Always throws. If the disk is full, nobody else logs the error. */
    noteWrite(error: unknown): never {
      // All transactions of a group fail with the same error. Each error is judged only once, because that may write a
      // file.
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
    /**
     * A nearly full disk accepts some writes, so a shortage ends only after two probes in a row without a failed write.
     */
    async probe(write: () => Promise<unknown>): Promise<void> {
      const hadFailed = hasFailed;
      hasFailed = false;
      await write();
      if (!hadFailed && !hasFailed) end('write');
    },
  };
};

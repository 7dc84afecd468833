import { DatabaseUnusable } from '../unusable.ts';
import { connectSqlite, isBusy, type SqliteConnection } from './connection.ts';
import { explainAccess, inheritOwner } from './owner.ts';

const openLock = (file: string): SqliteConnection => {
  try {
    const connection = connectSqlite(file);
    inheritOwner(file);
    return connection;
  } catch (error) {
    throw new DatabaseUnusable(`cannot use ${file}: ${(error as Error).message}${explainAccess(file)}`, {
      cause: error,
    });
  }
};

/** Takes a lock file that only one process at a time can hold. The lock is released when the process exits. */
export const takeLock = (file: string, refusal: DatabaseUnusable): SqliteConnection => {
  const connection = openLock(file);
  try {
    // A journal on disk would need space, and a full disk must not prevent a backup to another disk.
    connection.script('PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    return connection;
  } catch (error) {
    connection.close();
    if (!isBusy(error)) throw error;
    throw refusal;
  }
};

/** Limits and ids are counted in memory, so only one process at a time may own the file. */
export const lockDatabase = (path: string): SqliteConnection =>
  takeLock(
    `${path}.lock`,
    new DatabaseUnusable(`${path} is in use by another petstore process; stop that process first`),
  );

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

/** The operating system releases the lock when the process exits. */
export const takeLock = (file: string, refusal: DatabaseUnusable): SqliteConnection => {
  const connection = openLock(file);
  try {
    // A journal in memory makes the lock work on a full disk, for example for a backup to another disk.
    connection.script('PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    return connection;
  } catch (error) {
    connection.close();
    if (!isBusy(error)) throw error;
    throw refusal;
  }
};

/** The process keeps rate limits and ids in memory, so only one process may use an SQLite database. */
export const lockDatabase = (path: string, advice = ''): SqliteConnection =>
  takeLock(
    `${path}.lock`,
    new DatabaseUnusable(`${path} is in use by another petstore process; stop that process first${advice}`),
  );

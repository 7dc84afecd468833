import { existsSync } from 'node:fs';
import { asUnusable, BackupYielded, DatabaseUnusable } from '../unusable.ts';
import { connectSqlite, isBusy, type SqliteConnection } from './connection.ts';
import { noteMissingLog, removeWithJournal } from './files.ts';
import { explainAccess, inheritOwner } from './owner.ts';

const openLock = (file: string): SqliteConnection => {
  try {
    const connection = connectSqlite(file);
    inheritOwner(file);
    return connection;
  } catch (error) {
    throw asUnusable(error, `cannot use ${file}`, explainAccess(file));
  }
};

/** The operating system releases the lock when the process exits. */
const takeLock = (file: string, refusal: DatabaseUnusable): SqliteConnection => {
  const connection = openLock(file);
  try {
    // With the journal in memory, the lock works even on a full disk, for example during a backup to another disk.
    connection.script('PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    return connection;
  } catch (error) {
    connection.close();
    throw isBusy(error) ? refusal : error;
  }
};

/** Only one process may write to an SQLite database, because that process keeps rate limits and ids in memory. */
export const lockDatabase = (path: string, advice = ''): SqliteConnection =>
  takeLock(
    `${path}.lock`,
    new DatabaseUnusable(`${path} is in use by another petstore process; stop that process first${advice}`),
  );

/** Exists while a backup is reading the database. A starting service removes this file to make the backup stop. */
const markOf = (file: string): string => `${file}.backup`;

/** Allows only one reader at a time, because the WAL keeps growing while a reader is active. */
export const markReading = (file: string): Disposable & { mustYield(): boolean } => {
  const lock = takeLock(
    markOf(file),
    new BackupYielded(`another backup or doctor command is reading ${file}; try again when it has finished`),
  );
  noteMissingLog(file);
  return {
    mustYield: () => !existsSync(markOf(file)),
    [Symbol.dispose]: () => {
      // Removes the file before unlocking it, because another backup may lock the file as soon as it is unlocked. On
      // Windows, an open file cannot be removed, so the lock is closed first.
      if (process.platform === 'win32') lock.close();
      removeWithJournal(markOf(file));
      lock.close();
    },
  };
};

export const requestYield = (file: string): boolean => {
  const isThere = existsSync(markOf(file));
  if (isThere) removeWithJournal(markOf(file));
  return isThere;
};

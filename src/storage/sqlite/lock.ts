import { asUnusable, DatabaseUnusable } from '../unusable.ts';
import { connectSqlite, isBusy, type SqliteConnection } from './connection.ts';
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
export const takeLock = (file: string, refusal: DatabaseUnusable): SqliteConnection => {
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

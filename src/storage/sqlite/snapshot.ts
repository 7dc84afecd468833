import { READ_ONLY } from '../sql.ts';
import { type SqliteConnection, sqlOn, storageFailure } from './connection.ts';

/**
 * Shares one read transaction between all reads in a turn of the event loop. A transaction per read would make each
 * read a third slower. During a commit, the transaction stays open until the sync completes, so that no data is read
 * before it is on disk.
 */
export const createSnapshot = (reader: SqliteConnection) => {
  let isOpen = false;
  let isHeld = false;

  const end = (): void => {
    if (!isOpen || isHeld) return;
    isOpen = false;
    try {
      // A failed read may already have ended the transaction.
      if (reader.inTransaction()) reader.run('COMMIT');
    } catch {
      // Nothing was written here. The next read reports any problem with the file.
    }
  };

  const begin = (): void => {
    // A failed read may have ended the transaction, and a new transaction would show data that is not on disk yet.
    if (isHeld && !reader.inTransaction())
      throw storageFailure(new Error('the read snapshot is lost until the current sync ends'));
    if (isOpen) return;
    reader.run('BEGIN');
    isOpen = true;
    setImmediate(end);
  };

  return {
    /** Reads only data that is committed and on disk. */
    sql: sqlOn(reader, begin, READ_ONLY),
    end,
    /** Keeps the visible data unchanged until `release`. */
    hold: (): void => {
      begin();
      // A transaction takes its snapshot only with its first read.
      reader.one('SELECT 1 FROM sqlite_schema LIMIT 1', []);
      isHeld = true;
    },
    release: (): void => {
      isHeld = false;
      end();
    },
  };
};

export type Snapshot = ReturnType<typeof createSnapshot>;

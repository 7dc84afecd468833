import { READ_ONLY } from '../sql.ts';
import { type SqliteConnection, sqlOn, storageFailure } from './connection.ts';

/**
 * One read transaction for all reads of one turn of the event loop: one for each would cost a third of a read. It is held
 * from before a commit until its sync is done, so that nobody reads what is not on disk yet.
 */
export const createSnapshot = (reader: SqliteConnection) => {
  let isOpen = false;
  let isHeld = false;

  const end = (): void => {
    if (!isOpen || isHeld) return;
    isOpen = false;
    try {
      // A read that failed may have ended it.
      if (reader.inTransaction()) reader.run('COMMIT');
    } catch {
      // Nothing was written here; the next read reports what is wrong with the file.
    }
  };

  const begin = (): void => {
    // A read that failed may have ended it, and a new one would show what is not on disk yet.
    if (isHeld && !reader.inTransaction())
      throw storageFailure(new Error('the read snapshot is lost until the current sync ends'));
    if (isOpen) return;
    // The first read takes the snapshot.
    reader.run('BEGIN');
    isOpen = true;
    setImmediate(end);
  };

  return {
    /** Reads what is committed and on disk. */
    sql: sqlOn(reader, begin, READ_ONLY),
    end,
    /** Keeps what can be read unchanged until `release`. */
    hold: (): void => {
      begin();
      // A transaction takes its snapshot with its first read.
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

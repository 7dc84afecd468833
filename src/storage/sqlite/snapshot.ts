import { type KeyIndex, READ_ONLY } from '../sql.ts';
import { type SqliteConnection, sqlOn, storageFailure } from './connection.ts';

/**
 * All reads in one turn of the event loop share a transaction, because a transaction for each read would make reads a
 * third slower. The transaction stays open during a sync, so that readers do not see data that is not on disk yet.
 */
export const createSnapshot = (reader: SqliteConnection, keyIndex: KeyIndex) => {
  let isOpen = false;
  let isHeld = false;

  const end = (): void => {
    if (!isOpen || isHeld) return;
    isOpen = false;
    try {
      if (reader.inTransaction()) reader.run('COMMIT');
    } catch {
      // If a read transaction cannot be ended, nothing is lost. The next read reports any problem with the file.
    }
  };

  const begin = (): void => {
    // A failed read may have ended the transaction. A new transaction would show data that is not on disk yet.
    if (isHeld && !reader.inTransaction())
      throw storageFailure(new Error('reads are not possible until the current sync ends'));
    if (isOpen) return;
    reader.run('BEGIN');
    isOpen = true;
    setImmediate(end);
  };

  return {
    sql: sqlOn(reader, begin, { ...READ_ONLY, keyIndex }),
    end,
    hold: (): void => {
      begin();
      // The first read determines which state the transaction sees. BEGIN alone does not.
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

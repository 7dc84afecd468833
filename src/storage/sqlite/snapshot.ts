import { type SqliteConnection, storageFailure } from './connection.ts';

/**
 * One read transaction for all reads of one turn of the event loop: to begin and end one for each costs a third of a
 * read. From before a commit until its sync is done, one is held: nobody reads what is not on disk yet, and what is
 * answered is always there to be read.
 */
export const createSnapshot = (reader: SqliteConnection) => {
  let isOpen = false;
  let isHeld = false;

  const end = (): void => {
    if (!isOpen || isHeld) return;
    isOpen = false;
    try {
      // A read that failed may have ended it.
      if (reader.inTransaction()) reader.commit();
    } catch {
      // Nothing was written here; whatever is wrong with the file, the next read will say.
    }
  };

  const begin = (): void => {
    // A read that failed may have ended it, and another would show what is not on disk yet.
    if (isHeld && !reader.inTransaction()) throw storageFailure(new Error('the snapshot is lost'));
    if (isOpen) return;
    reader.beginReading();
    isOpen = true;
    setImmediate(end);
  };

  return {
    begin,
    end,
    /** What can be read stays as it is until `release`. */
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

import { existsSync } from 'node:fs';
import { BackupYielded } from '../../unusable.ts';
import { noteMissingLog, removeWithJournal } from '../files.ts';
import { takeLock } from '../lock.ts';

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

import { existsSync, rmSync } from 'node:fs';
import { BackupYielded } from '../../unusable.ts';
import type { SqliteConnection } from '../connection.ts';
import { noteMissingLog } from '../files.ts';
import { takeLock } from '../lock.ts';

/** A backup that reads a file has this one beside it. Whoever removes it asks the backup to let go of the file at once. */
const markOf = (file: string): string => `${file}.backup`;

const removeMark = (file: string): void => {
  for (const name of [markOf(file), `${markOf(file)}-journal`]) rmSync(name, { force: true });
};

/** Marks that a backup reads the file. One at a time may: it keeps the log from being used from its start again. */
export const markReading = (file: string): { mustYield(): boolean; end(): void } => {
  const lock: SqliteConnection = takeLock(
    markOf(file),
    new BackupYielded(`another backup or doctor reads ${file}; wait until it is done`),
  );
  noteMissingLog(file);
  return {
    mustYield: () => !existsSync(markOf(file)),
    end: () => {
      removeMark(file);
      lock.close();
    },
  };
};

/** Asks a backup that reads the file to let go of it, and tells whether there may be one. */
export const requestYield = (file: string): boolean => {
  const isThere = existsSync(markOf(file));
  if (isThere) removeMark(file);
  return isThere;
};

import { existsSync, rmSync } from 'node:fs';
import { BackupYielded } from '../../unusable.ts';
import { noteMissingLog } from '../files.ts';
import { takeLock } from '../lock.ts';

/** Exists while a backup reads the file. A starting service removes it, which asks the backup to yield. */
const markOf = (file: string): string => `${file}.backup`;

const removeMark = (file: string): void => {
  for (const name of [markOf(file), `${markOf(file)}-journal`]) rmSync(name, { force: true });
};

/** Marks that a backup reads the file, for `using`. Only one may: it keeps the log from being reused from its start. */
export const markReading = (file: string): Disposable & { mustYield(): boolean } => {
  const lock = takeLock(
    markOf(file),
    new BackupYielded(`another backup or doctor reads ${file}; wait until it is done`),
  );
  noteMissingLog(file);
  return {
    mustYield: () => !existsSync(markOf(file)),
    [Symbol.dispose]: () => {
      removeMark(file);
      lock.close();
    },
  };
};

/** Asks a backup that reads the file to yield. False if there is none. */
export const requestYield = (file: string): boolean => {
  const isThere = existsSync(markOf(file));
  if (isThere) removeMark(file);
  return isThere;
};

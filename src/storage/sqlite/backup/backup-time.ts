import { statSync, utimesSync } from 'node:fs';
import { makeFile } from '../files.ts';

/** An empty file next to the database. Its time is that of the newest finished backup, wherever the backup lies. */
const stampOf = (path: string): string => `${path}.backed-up`;

/** Notes when a backup was made. One that cannot be noted, on a full disk for example, is still a backup. */
export const noteBackup = (path: string, madeAt: number): void => {
  try {
    // A new file each time: another user may own the last one, and only the owner may set its time.
    makeFile(stampOf(path), '');
    utimesSync(stampOf(path), madeAt / 1000, madeAt / 1000);
  } catch {
    // A missing age must not fail the backup.
  }
};

/** When the newest backup was made; undefined if `petstore backup` has made none of this file. */
export const lastBackupAt = (path: string): number | undefined =>
  statSync(stampOf(path), { throwIfNoEntry: false })?.mtimeMs;

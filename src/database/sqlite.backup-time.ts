import { closeSync, openSync, realpathSync, rmSync, statSync, utimesSync } from 'node:fs';

/** An empty file next to the database. Its time is that of the newest finished backup, wherever the backup lies. */
const stampOf = (path: string): string => `${realpathSync(path)}.backed-up`;

/** Notes when a backup was made. One that cannot be noted, on a full disk for example, is still a backup. */
export const noteBackup = (path: string, madeAt: number): void => {
  try {
    const stamp = stampOf(path);
    // Another user may own the existing file, and only its owner may set its time.
    rmSync(stamp, { force: true });
    closeSync(openSync(stamp, 'wx'));
    utimesSync(stamp, madeAt / 1000, madeAt / 1000);
  } catch {
    // A missing age must not fail the backup.
  }
};

/** When the newest backup was made; undefined if `petstore backup` has made none of this file. */
export const lastBackupAt = (path: string): number | undefined =>
  statSync(stampOf(path), { throwIfNoEntry: false })?.mtimeMs;

import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Clock } from '../kernel/clock.ts';
import type { Metrics } from '../kernel/metrics.ts';
import { lastBackupAt } from '../storage/sqlite/backup/online-backup.ts';
import { logSize } from '../storage/sqlite/files.ts';
import { freeBytesAt } from '../storage/sqlite/space.ts';

/** Space on disk and the age of the last backup. Each read is one system call. */
export const addStorageMetrics = (metrics: Metrics, { file, clock }: { file: string; clock: Clock }): void => {
  const add = (name: string, help: string, read: () => number | undefined): void =>
    metrics.read('gauge', name, help, () => {
      const value = read();
      return value === undefined ? [] : [{ value }];
    });
  add('petstore_disk_free_bytes', 'Free space of the file system of the database.', () => freeBytesAt(dirname(file)));
  add('petstore_database_file_bytes', 'Size of the database file.', () => statSync(file).size);
  add('petstore_database_wal_bytes', 'Size of its log (-wal).', () => logSize(file));
  add('petstore_backup_age_seconds', 'Age of the newest backup by `petstore backup`; absent without one.', () => {
    const madeAt = lastBackupAt(file);
    return madeAt === undefined ? undefined : Math.max(0, clock() - madeAt) / 1000;
  });
};

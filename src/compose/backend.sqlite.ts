import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { explainError } from '../kernel/log.ts';
import type { Metrics } from '../kernel/metrics.ts';
import { type Clock, systemClock } from '../kernel/runtime.ts';
import { createLocalKeyChanges } from '../resources/keys/changes.ts';
import { lastBackupAt } from '../storage/sqlite/backup/online-backup.ts';
import { isDamaged } from '../storage/sqlite/connection.ts';
import { openSqlite, openSqliteReadOnly } from '../storage/sqlite/database.ts';
import { logSize } from '../storage/sqlite/files.ts';
import type { SyncMetrics } from '../storage/sqlite/group-commit.ts';
import { MIGRATIONS } from '../storage/sqlite/migrations.ts';
import { freeBytesAt } from '../storage/sqlite/space.ts';
import { createLocalArrivals } from '../streaming/arrivals.ts';
import { sequenceInTransaction } from '../streaming/sequencer.sql.ts';
import { type Backend, type BackendDeps, bindRepositories, type Reads, type Repositories } from './repositories.ts';

const DISK_ADVICE =
  'writes are refused until the service is restarted; check the disk first, and save removed database files before ' +
  'you restart (docs/operating/troubleshoot.md, "Removed database files")';
const DAMAGE_ADVICE =
  'reads continue, but writes are refused; stop the service, move all petstore.db* files to another folder, then ' +
  'restore the last backup (docs/operating/troubleshoot.md, "A damaged database")';

const GROUP_SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256];
const SYNC_SECONDS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2];

const createSyncMetrics = (metrics: Metrics): SyncMetrics => ({
  transactions: metrics.histogram('petstore_commit_group_size', 'Transactions that shared one sync.', GROUP_SIZES)(),
  seconds: metrics.histogram('petstore_commit_sync_seconds', 'Duration of a disk sync.', SYNC_SECONDS)(),
});

const addStorageMetrics = (metrics: Metrics, file: string, clock: Clock): void => {
  const { read } = metrics;
  read('petstore_disk_free_bytes', "Free space on the database's file system.", () => freeBytesAt(dirname(file)));
  read('petstore_database_file_bytes', 'Size of the database file.', () => statSync(file).size);
  read('petstore_database_wal_bytes', "Size of the database's write-ahead log (-wal).", () => logSize(file));
  read(
    'petstore_backup_age_seconds',
    'Age of the newest backup made by `petstore backup`; absent if there is none.',
    () => {
      const madeAt = lastBackupAt(file);
      return madeAt === undefined ? undefined : Math.max(0, clock() - madeAt) / 1000;
    },
  );
};

export const openSqliteBackend = (path: string, deps: BackendDeps): Backend => {
  const { config, randomText, log, metrics, clock = systemClock } = deps;
  const scanEveryMs = config.PETSTORE_SCAN_SECONDS * 1000;
  const keyChanges = createLocalKeyChanges();
  const arrivals = createLocalArrivals();
  const bind = bindRepositories({ clock, randomText, keyChanges, sequencer: sequenceInTransaction(arrivals) });
  const place = { path, environment: config.PETSTORE_ENVIRONMENT, bind };
  const shared: Omit<Backend, 'database' | 'jobs' | 'close'> = {
    ...{ clock, keyChanges, arrivals },
    isLeader: () => true,
    leaderOnly: (job) => job,
    measure: (_, read) => read(),
    schema: MIGRATIONS.length,
    lastBackupAt: () => lastBackupAt(path),
  };
  addStorageMetrics(metrics, path, clock);
  if (config.PETSTORE_READ_ONLY) {
    const database = openSqliteReadOnly<Reads, Repositories>(place);
    return { ...shared, database, isLeader: () => false, jobs: [], close: database.close };
  }
  const database = openSqlite<Reads, Repositories>({
    ...place,
    syncMetrics: createSyncMetrics(metrics),
    stopwatch: deps.stopwatch,
    checkpointPages: deps.checkpointPages,
    scans: {
      everyMs: scanEveryMs,
      scanned: (outcome) => {
        if ('error' in outcome) log.warn('scan_failed', outcome);
        else log.info('database_scanned', outcome);
      },
    },
    backsUp: config.PETSTORE_BACKUP_BEFORE_MIGRATION,
    backedUp: (file) => log.info('backed_up', { file }),
    logMissing: (message) => log.error('log_missing', { message }),
    spaceEvents: {
      ranOut: (what, freeBytes) =>
        log.error('disk_full', {
          path,
          what,
          freeBytes,
          advice: 'free up space on this file system; reads still work, and writes resume automatically within seconds',
        }),
      recovered: (freeBytes) => log.info('disk_space_back', { path, freeBytes }),
    },
    broke: (cause) => {
      deps.endByKill?.();
      log.error('storage_failed', {
        error: explainError(cause),
        advice: isDamaged(cause) ? DAMAGE_ADVICE : DISK_ADVICE,
      });
    },
  });
  return {
    ...shared,
    database,
    jobs: [
      { name: 'check-files', everyMs: 1000, run: async () => database.checkFiles() },
      ...(scanEveryMs === 0 ? [] : [{ name: 'scan-file', everyMs: 1000, run: database.scan }]),
      { name: 'probe-space', everyMs: 1000, run: database.probeSpace },
    ],
    prepare: database.prepare,
    close: database.close,
  };
};

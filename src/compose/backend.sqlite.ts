import { systemClock } from '../kernel/clock.ts';
import { explainError } from '../kernel/log.ts';
import { createLocalKeyChanges } from '../resources/keys/changes.ts';
import { openSqlite } from '../storage/sqlite/database.ts';
import { isDamage } from '../storage/sqlite/health.ts';
import { createLocalArrivals } from '../streaming/arrivals.ts';
import { sequenceInTransaction } from '../streaming/sequencer.sql.ts';
import type { Backend, BackendDeps } from './backend.ts';
import { addStorageMetrics } from './metrics.sqlite.ts';
import { createSyncMetrics } from './metrics.ts';
import { bindRepositories, type Reads, type Repositories } from './repositories.ts';

const DISK_ADVICE = 'nothing is written until the service is started again; look at the disk and the files first';
const DAMAGE_ADVICE =
  'reads are served, writes are refused; stop the service, move all of petstore.db* to another folder and restore the last backup ' +
  '(docs/operating.md, "A damaged database")';

/** For the one process that owns a file: nobody else has to hear of anything, and no work has to be shared. */
export const openSqliteBackend = (
  path: string,
  {
    environment,
    randomText,
    log,
    metrics,
    backsUp = true,
    endByKill,
    clock = systemClock,
    stopwatch,
    checkpointPages,
    scanEveryMs,
  }: BackendDeps,
): Backend => {
  const keyChanges = createLocalKeyChanges();
  const arrivals = createLocalArrivals();
  const database = openSqlite<Reads, Repositories>({
    path,
    environment,
    bind: bindRepositories({ clock, randomText, keyChanges, sequencer: sequenceInTransaction(arrivals) }),
    noteSync: createSyncMetrics(metrics),
    stopwatch,
    checkpointPages,
    scans: {
      everyMs: scanEveryMs,
      scanned: (outcome) => {
        if ('error' in outcome) log.warn('scan_failed', outcome);
        else log.info('database_scanned', outcome);
      },
    },
    backsUp,
    backedUp: (file) => log.info('backed_up', { file }),
    logMissing: (message) => log.error('log_missing', { message }),
    spaceEvents: {
      ranOut: (what, freeBytes) =>
        log.error('disk_full', {
          path,
          what,
          freeBytes,
          advice: 'free space on this file system; reads still work, and writes resume by themselves within seconds',
        }),
      recovered: (freeBytes) => log.info('disk_space_back', { path, freeBytes }),
    },
    broke: (cause) => {
      endByKill?.();
      log.error('storage_failed', {
        error: explainError(cause),
        advice: isDamage(cause) ? DAMAGE_ADVICE : DISK_ADVICE,
      });
    },
  });
  addStorageMetrics(metrics, { file: path, clock });
  return {
    database,
    clock,
    keyChanges,
    arrivals,
    // Whatever is leased was leased by a process that is gone.
    holder: 'sole',
    lease: async () => true,
    leaderOnly: (job) => job,
    jobs: [
      { name: 'check-files', everyMs: 1000, run: async () => database.checkFiles() },
      ...(scanEveryMs === 0 ? [] : [{ name: 'scan-file', everyMs: 1000, run: database.scan }]),
      { name: 'probe-space', everyMs: 1000, run: database.probeSpace },
    ],
    prepare: database.prepare,
    close: database.close,
  };
};

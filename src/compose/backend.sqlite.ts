import { openSqlite } from '../database/sqlite.ts';
import { createLocalArrivals } from '../events/arrivals.ts';
import { sequenceInTransaction } from '../events/sequencer.sql.ts';
import { systemClock } from '../kernel/clock.ts';
import { createLocalKeyChanges } from '../kernel/key-changes.ts';
import { explainError } from '../kernel/log.ts';
import type { Backend, BackendDeps } from './backend.ts';
import { createSyncMetrics } from './metrics.ts';
import { bindRepositories, type Reads, type Repositories } from './repositories.ts';

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
    backsUp,
    backedUp: (file) => log.info('backed_up', { file }),
    logMissing: (message) => log.error('log_missing', { message }),
    broke: (cause) => {
      endByKill?.();
      log.error('storage_failed', {
        error: explainError(cause),
        advice: 'nothing is written until the service is started again; look at the disk and the files first',
      });
    },
  });
  return {
    database,
    clock,
    keyChanges,
    arrivals,
    // Whatever is leased was leased by a process that is gone.
    holder: 'sole',
    lease: async () => true,
    leaderOnly: (job) => job,
    jobs: [{ name: 'check-files', everyMs: 1000, run: async () => database.checkFiles() }],
    close: database.close,
  };
};

import { openSqlite } from '../database/sqlite.ts';
import { createLocalArrivals } from '../events/arrivals.ts';
import { sequenceInTransaction } from '../events/sequencer.sql.ts';
import { systemClock } from '../kernel/clock.ts';
import { createLocalKeyChanges } from '../kernel/key-changes.ts';
import type { Backend, BackendDeps } from './backend.ts';
import { bindRepositories, type Reads, type Repositories } from './repositories.ts';

/** For the one process that owns a file: nobody else has to hear of anything, and no work has to be shared. */
export const openSqliteBackend = (
  path: string,
  { environment, randomText, clock = systemClock }: BackendDeps,
): Backend => {
  const keyChanges = createLocalKeyChanges();
  const arrivals = createLocalArrivals();
  const database = openSqlite<Reads, Repositories>({
    path,
    environment,
    bind: bindRepositories({ clock, randomText, keyChanges, sequencer: sequenceInTransaction(arrivals) }),
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
    jobs: [],
    close: database.close,
  };
};

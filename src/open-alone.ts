import { bindStores, type Reads, type Stores } from './bind-stores.ts';
import { openSqlite } from './database/sqlite.ts';
import { createLocalArrivals } from './events/arrivals.ts';
import { numberAtOnce } from './events/numbering.sql.ts';
import type { Ground, GroundDeps } from './ground.ts';
import { systemClock } from './kernel/clock.ts';
import { createLocalKeyChanges } from './kernel/key-changes.ts';

/** For the one process that owns a file: nobody else has to hear of anything, and no work has to be shared. */
export const openAlone = (path: string, { environment, randomText, clock = systemClock }: GroundDeps): Ground => {
  const keyChanges = createLocalKeyChanges();
  const arrivals = createLocalArrivals();
  const database = openSqlite<Reads, Stores>({
    path,
    environment,
    bind: bindStores({ clock, randomText, keyChanges, numbering: numberAtOnce(arrivals) }),
  });
  return {
    database,
    clock,
    keyChanges,
    arrivals,
    // Whatever is leased was leased by a process that is gone.
    holder: 'sole',
    onOneInstance: (worker) => worker,
    workers: [],
    close: database.close,
  };
};

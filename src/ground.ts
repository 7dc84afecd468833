import type { Reads, Stores } from './bind-stores.ts';
import type { Database } from './database/database.ts';
import type { Arrivals } from './events/arrivals.ts';
import type { Clock } from './kernel/clock.ts';
import type { KeyChanges } from './kernel/key-changes.ts';
import type { RandomText } from './kernel/random-id.ts';
import type { Log } from './log.ts';
import type { Worker } from './workers.ts';

/** What the service stands on: all that differs between one process with a file and many instances on servers. */
export type Ground = {
  database: Database<Reads, Stores>;
  /** The time by which everything stored is judged: that of whoever stores it. */
  clock: Clock;
  keyChanges: KeyChanges;
  arrivals: Arrivals;
  /** In whose name this process leases work. */
  holder: string;
  /** The worker as it runs where the work is to be done once, however many instances there are. */
  onOneInstance(worker: Worker): Worker;
  /** What this ground needs done in the background. */
  workers: readonly Worker[];
  close(): Promise<void>;
};

export type GroundDeps = {
  environment: string;
  randomText: RandomText;
  log: Log;
  /** Whether the windows of all instances are counted in one place. */
  countsTogether: boolean;
  /** The time, where it is not the ground's own. */
  clock?: Clock | undefined;
};

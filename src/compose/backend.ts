import type { Clock } from '../kernel/clock.ts';
import type { Environment } from '../kernel/contract.ts';
import type { RandomText } from '../kernel/ids.ts';
import type { Job } from '../kernel/job.ts';
import type { Log } from '../kernel/log.ts';
import type { Metrics } from '../kernel/metrics.ts';
import type { KeyChanges } from '../resources/keys/changes.ts';
import type { Database } from '../storage/database.ts';
import type { Arrivals } from '../streaming/arrivals.ts';
import type { Reads, Repositories } from './repositories.ts';

/** What the service stands on: all that differs between one process with a file and many instances on servers. */
export type Backend = {
  database: Database<Reads, Repositories>;
  /** The time by which everything stored is judged: that of whoever stores it. */
  clock: Clock;
  keyChanges: KeyChanges;
  arrivals: Arrivals;
  /** In whose name this process leases work. */
  holder: string;
  /** Takes a name for this process until then, among all instances; false if another has it. */
  lease(name: string, until: number): Promise<boolean>;
  /** The job as it runs where the work is to be done once, however many instances there are. */
  leaderOnly(job: Job): Job;
  /** What this backend itself needs done in the background. */
  jobs: readonly Job[];
  /** Opens now what would otherwise be opened at first use. */
  prepare?(): Promise<void>;
  close(): Promise<void>;
};

export type BackendDeps = {
  /** Whether a file of an earlier version is copied before it is migrated. */
  backsUp?: boolean;
  environment: Environment;
  randomText: RandomText;
  log: Log;
  metrics: Metrics;
  /** Bounds every wait for a database elsewhere. */
  timeoutMs: number;
  /** Whether the windows of all instances are counted in one place. */
  countsTogether: boolean;
  /** The time, where it is not the backend's own. */
  clock?: Clock | undefined;
  /** Milliseconds of a clock that nobody sets, where it is not the runtime's. */
  stopwatch?: (() => number) | undefined;
  /** Has the process end without closing its files, however it ends. */
  endByKill?: (() => void) | undefined;
  /** So many pages gather in the log of a file, where it is not as many as usual. */
  checkpointPages?: number | undefined;
  /** How often an SQLite file is scanned for damage; 0 for never. */
  scanEveryMs?: number | undefined;
};

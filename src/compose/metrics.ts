import type { Clock } from '../kernel/clock.ts';
import type { Job } from '../kernel/job.ts';
import type { Metrics } from '../kernel/metrics.ts';
import { FIRST_STORE } from '../kernel/operation.ts';
import type { NoteSync } from '../storage/sqlite/group-sync.ts';
import type { Hub } from '../streaming/hub.ts';
import { COMMIT, VERSION } from '../version.ts';
import type { Backend } from './backend.ts';

const GROUP_SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256];
/** Seconds. */
const SYNCS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2];
const DELAYS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];

/** How often the event loop is looked at: enough for a stall to be seen, and nothing to be felt. */
const LOOK_MS = 100;

export const createSyncMetrics = (metrics: Metrics): NoteSync => {
  const size = metrics.histogram('petstore_commit_group_size', 'Transactions that shared one sync.', GROUP_SIZES)();
  const sync = metrics.histogram('petstore_commit_sync_seconds', 'How long a sync of the disk took.', SYNCS)();
  return (transactions, syncMs) => {
    size.observe(transactions);
    sync.observe(syncMs / 1000);
  };
};

/** Counts attempts by what came of them. */
export const countAttempts = <Arguments extends unknown[]>(
  metrics: Metrics,
  attempt: (...given: Arguments) => Promise<boolean>,
): typeof attempt => {
  const attempts = metrics.counter('petstore_webhook_attempts_total', 'Attempts to deliver an event to a webhook.');
  const [delivered, failed] = [attempts({ result: 'delivered' }), attempts({ result: 'failed' })];
  return async (...given) => {
    const isDelivered = await attempt(...given);
    (isDelivered ? delivered : failed).add();
    return isDelivered;
  };
};

const addProcess = (metrics: Metrics): void => {
  metrics.read('gauge', 'petstore_build_info', 'The program that runs.', () => [
    { labels: { version: VERSION, commit: COMMIT ?? 'source', runtime: `bun ${process.versions.bun}` }, value: 1 },
  ]);
  const startedAt = Date.now() / 1000 - process.uptime();
  metrics.read('gauge', 'process_start_time_seconds', 'When the process was started, in seconds since 1970.', () => [
    { value: startedAt },
  ]);
  metrics.read('gauge', 'process_resident_memory_bytes', 'Memory of the process.', () => [
    { value: process.memoryUsage.rss() },
  ]);
  metrics.read('counter', 'process_cpu_seconds_total', 'Time that the process has had a processor.', () => {
    const { user, system } = process.cpuUsage();
    return [{ value: (user + system) / 1e6 }];
  });
};

const addDatabase = (metrics: Metrics, { database, clock }: Pick<Deps, 'database' | 'clock'>): void => {
  metrics.read('gauge', 'petstore_database_up', 'Whether it can be written to.', () => [
    { value: database.canWrite() ? 1 : 0 },
  ]);
  metrics.read('gauge', 'petstore_database_damaged', '1 once damage was found in the SQLite file.', () =>
    database.isDamaged ? [{ value: database.isDamaged() ? 1 : 0 }] : [],
  );
  metrics.read('gauge', 'petstore_writes_waiting', 'Transactions that wait for their commit.', () => [
    { value: database.waiting() },
  ]);
  metrics.read('gauge', 'petstore_write_wait_seconds', 'How long the first of them has waited.', () => [
    { value: database.waitedMs() / 1000 },
  ]);
  metrics.read('gauge', 'petstore_database_connections', 'Connections to PostgreSQL, and who waits for one.', () =>
    (database.connections?.() ?? []).flatMap(({ pool, ...states }) =>
      Object.entries(states).map(([state, value]) => ({ labels: { pool, state }, value })),
    ),
  );
  const { deliveryQueue, sequencer } = database.read(FIRST_STORE);
  const age = (since: number | undefined): number => (since === undefined ? 0 : Math.max(0, clock() - since) / 1000);
  metrics.read(
    'gauge',
    'petstore_event_lag_seconds',
    'Age of the oldest event that no reader can see yet.',
    async () => [{ value: age(await sequencer.pendingSince()) }],
  );
  metrics.read('gauge', 'petstore_webhook_lag_seconds', 'How long the oldest delivery has been due.', async () => [
    { value: age(await deliveryQueue.oldestDue(clock())) },
  ]);
};

/** Whoever is told of the event loop so late was kept waiting by it. */
const watchLoop = (metrics: Metrics): Job => {
  const delay = metrics.histogram(
    'petstore_event_loop_delay_seconds',
    'How late the event loop came round, looked at ten times a second.',
    DELAYS,
  )();
  let lookedAt: number | undefined;
  return {
    name: 'watch-loop',
    everyMs: LOOK_MS,
    run: async () => {
      const now = performance.now();
      if (lookedAt !== undefined) delay.observe(Math.max(0, now - lookedAt - LOOK_MS) / 1000);
      lookedAt = now;
    },
  };
};

type Deps = Pick<Backend, 'database'> & {
  clock: Clock;
  metrics: Metrics;
  limiter: { isAway: (() => boolean) | undefined };
  hub: Pick<Hub, 'count'>;
};

/** Everything that is read when somebody looks; what is counted as it happens is counted where it happens. */
export const composeMetrics = (deps: Deps): { jobs: Job[] } => {
  const { metrics, limiter, hub } = deps;
  addProcess(metrics);
  addDatabase(metrics, deps);
  metrics.read('gauge', 'petstore_event_streams', 'Event streams that are open.', () => [{ value: hub.count() }]);
  metrics.read('gauge', 'petstore_redis_up', 'Whether Redis counts for all instances; absent where none is set.', () =>
    limiter.isAway ? [{ value: limiter.isAway() ? 0 : 1 }] : [],
  );
  return { jobs: [watchLoop(metrics)] };
};

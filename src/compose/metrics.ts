import type { Job } from '../kernel/job.ts';
import type { MaybePromise } from '../kernel/maybe-promise.ts';
import type { Metrics } from '../kernel/metrics.ts';
import { FIRST_STORE } from '../kernel/operation.ts';
import type { Hub } from '../streaming/hub.ts';
import { COMMIT, VERSION } from '../version.ts';
import type { Backend } from './repositories.ts';

// Metrics read on each scrape. Event counters live where the events happen.

const DELAY_SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];

/** Interval of event loop measurements. */
const LOOK_MS = 100;

/** Adds gauges with one value each; undefined omits the metric. */
export const addGauge =
  (metrics: Metrics) =>
  (name: string, help: string, read: () => MaybePromise<number | undefined>): void =>
    metrics.read('gauge', name, help, async () => {
      const value = await read();
      return value === undefined ? [] : [{ value }];
    });

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
  const labels = { version: VERSION, commit: COMMIT ?? 'source', runtime: `bun ${process.versions.bun}` };
  metrics.read('gauge', 'petstore_build_info', 'The program that runs.', () => [{ labels, value: 1 }]);
  const add = addGauge(metrics);
  const startedAt = Date.now() / 1000 - process.uptime();
  add('process_start_time_seconds', 'When the process was started, in seconds since 1970.', () => startedAt);
  add('process_resident_memory_bytes', 'Memory of the process.', () => process.memoryUsage.rss());
  metrics.read('counter', 'process_cpu_seconds_total', 'Time that the process has had a processor.', () => {
    const { user, system } = process.cpuUsage();
    return [{ value: (user + system) / 1e6 }];
  });
};

type Deps = Pick<Backend, 'database' | 'clock'> & {
  metrics: Metrics;
  limiter: { isAway: (() => boolean) | undefined };
  hub: Pick<Hub, 'count'>;
};

const addDatabase = ({ metrics, database, clock }: Deps): void => {
  const add = addGauge(metrics);
  const { deliveryQueue, sequencer } = database.read(FIRST_STORE);
  const age = (since: number | undefined): number => (since === undefined ? 0 : Math.max(0, clock() - since) / 1000);
  add('petstore_database_up', 'Whether it can be written to.', () => Number(database.canWrite()));
  add('petstore_database_damaged', '1 once damage was found in the SQLite file.', () =>
    database.isDamaged ? Number(database.isDamaged()) : undefined,
  );
  add('petstore_writes_waiting', 'Transactions that wait for their commit.', () => database.backlog.pending);
  add('petstore_write_wait_seconds', 'How long the first of them has waited.', () => database.waitedMs() / 1000);
  metrics.read('gauge', 'petstore_database_connections', 'Connections to PostgreSQL, and who waits for one.', () =>
    (database.connections?.() ?? []).flatMap(({ pool, ...states }) =>
      Object.entries(states).map(([state, value]) => ({ labels: { pool, state }, value })),
    ),
  );
  add('petstore_event_lag_seconds', 'Age of the oldest event that no reader can see yet.', async () =>
    age(await sequencer.pendingSince()),
  );
  add('petstore_webhook_lag_seconds', 'How long the oldest delivery has been due.', async () =>
    age(await deliveryQueue.oldestDue(clock())),
  );
};

/** Measures how late the event loop runs this job. */
const watchLoop = (metrics: Metrics): Job => {
  const delay = metrics.histogram(
    'petstore_event_loop_delay_seconds',
    'How late the event loop came round, looked at ten times a second.',
    DELAY_SECONDS,
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

/** Adds all metrics that are read on scrape. Returns the job that measures the event loop. */
export const addMetrics = (deps: Deps): Job => {
  const { metrics, limiter, hub } = deps;
  addProcess(metrics);
  addDatabase(deps);
  const add = addGauge(metrics);
  add('petstore_event_streams', 'Event streams that are open.', hub.count);
  add('petstore_redis_up', 'Whether Redis counts for all instances; absent where none is set.', () =>
    limiter.isAway ? Number(!limiter.isAway()) : undefined,
  );
  return watchLoop(metrics);
};

import type { SendDeps } from '../delivery/send-due.ts';
import type { Job } from '../kernel/job.ts';
import type { Metrics } from '../kernel/metrics.ts';
import { FIRST_STORE } from '../kernel/operation.ts';
import { processorMs } from '../kernel/runtime.ts';
import type { Hub } from '../streaming/hub.ts';
import { COMMIT, VERSION } from '../version.ts';
import type { Backend } from './repositories.ts';

const DELAY_SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];

const POLL_MS = 100;

export const countAttempts = (metrics: Metrics, attempt: SendDeps['attempt']): SendDeps['attempt'] => {
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
  const { read } = metrics;
  read('petstore_build_info', 'Version, commit and runtime of the running program.', () => [{ labels, value: 1 }]);
  const startedAt = Date.now() / 1000 - process.uptime();
  read('process_start_time_seconds', 'Start time of the process, in seconds since 1970.', () => startedAt);
  read('process_resident_memory_bytes', 'Resident memory of the process.', () => process.memoryUsage.rss());
  read('process_cpu_seconds_total', 'Processor time used by the process.', () => processorMs() / 1000, 'counter');
};

type Deps = Pick<Backend, 'database' | 'clock' | 'measure'> & {
  metrics: Metrics;
  limiter: { isAway: (() => boolean) | undefined };
  hub: Pick<Hub, 'count'>;
};

const addDatabase = ({ metrics, database, clock, measure }: Deps): void => {
  const { read } = metrics;
  const { deliveryQueue, sequencer, keys } = database.read(FIRST_STORE);
  const age = (since: number | undefined): number => (since === undefined ? 0 : Math.max(0, clock() - since) / 1000);
  read('petstore_database_up', '1 if the database accepts writes, otherwise 0.', () => Number(database.canWrite()));
  read('petstore_database_damaged', '1 if damage was found in the SQLite file, otherwise 0.', () =>
    database.isDamaged ? Number(database.isDamaged()) : undefined,
  );
  read('petstore_database_read_seconds', 'Duration of one small read from the database.', async () => {
    const startedAt = performance.now();
    await keys.findAdmin();
    return (performance.now() - startedAt) / 1000;
  });
  read('petstore_writes_waiting', 'Transactions waiting for their commit.', () => database.backlog.pending);
  read(
    'petstore_write_wait_seconds',
    'How long the longest-waiting transaction has waited for its commit.',
    () => database.waitedMs() / 1000,
  );
  read('petstore_database_connections', 'PostgreSQL connections, and requests waiting for one.', () =>
    (database.connections?.() ?? []).flatMap(({ pool, ...states }) =>
      Object.entries(states).map(([state, value]) => ({ labels: { pool, state }, value })),
    ),
  );
  read('petstore_event_lag_seconds', 'Age of the oldest event that readers cannot see yet; from the leader only.', () =>
    measure('events', async () => age(await sequencer.pendingSince())),
  );
  read('petstore_webhook_lag_seconds', 'How long the oldest delivery has been overdue; from the leader only.', () =>
    measure('webhooks', async () => age(await deliveryQueue.oldestDue(clock()))),
  );
};

const watchLoop = (metrics: Metrics): Job => {
  const delay = metrics.histogram(
    'petstore_event_loop_delay_seconds',
    'Delay of the event loop, measured ten times a second.',
    DELAY_SECONDS,
  )();
  let lookedAt: number | undefined;
  return {
    name: 'watch-loop',
    everyMs: POLL_MS,
    run: async () => {
      const now = performance.now();
      if (lookedAt !== undefined) delay.observe(Math.max(0, now - lookedAt - POLL_MS) / 1000);
      lookedAt = now;
    },
  };
};

export const addMetrics = (deps: Deps): Job => {
  const { metrics, limiter, hub } = deps;
  addProcess(metrics);
  addDatabase(deps);
  metrics.read('petstore_event_streams', 'Open event streams.', hub.count);
  metrics.read(
    'petstore_redis_up',
    '1 while the instances share their rate-limit counts in Redis, otherwise 0; absent without REDIS_URL.',
    () => (limiter.isAway ? Number(!limiter.isAway()) : undefined),
  );
  return watchLoop(metrics);
};

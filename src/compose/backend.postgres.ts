import { createLeadership } from '../cluster/leadership.ts';
import { createPoller, IDLE_POLL_MS, POLL_MS } from '../cluster/poller.ts';
import { createSuspension } from '../cluster/suspend-standby.ts';
import { explainError } from '../kernel/log.ts';
import { FIRST_STORE, SYSTEM_CALL } from '../kernel/operation.ts';
import { type Elapsed, elapsed, sleep } from '../kernel/runtime.ts';
import { connectWakeUps } from '../limits/redis/wake-ups.redis.ts';
import { createLocalKeyChanges } from '../resources/keys/changes.ts';
import { openPostgres, type PostgresDatabase } from '../storage/postgres/database.ts';
import { MIGRATIONS } from '../storage/postgres/migrations.ts';
import { parsePostgresUrl } from '../storage/postgres/primary.ts';
import type { StandbyOptions } from '../storage/postgres/standby.ts';
import { createLocalArrivals } from '../streaming/arrivals.ts';
import { coalesceAssignments } from '../streaming/coalesce-assignments.ts';
import { sequenceAfterCommit } from '../streaming/sequencer.sql.ts';
import { type Backend, type BackendDeps, bindRepositories, type Reads, type Repositories } from './repositories.ts';

const openShared = openPostgres<Reads, Repositories>;

type Shared = PostgresDatabase<Reads, Repositories>;
type ClusterDeps = Pick<Backend, 'clock' | 'keyChanges' | 'arrivals'> & Pick<BackendDeps, 'config' | 'log'>;

const joinCluster = (database: Shared, holder: string, stopwatch: Elapsed, deps: ClusterDeps) => {
  const { config, log, clock, keyChanges, arrivals } = deps;
  const leadership = createLeadership({
    holder,
    clock,
    elapsed,
    lead: async (now, until) =>
      !config.PETSTORE_READ_ONLY && database.write(SYSTEM_CALL, ({ cluster }) => cluster.lead(holder, now, until)),
  });
  const { isLeader, hasWork, measure } = leadership;

  let areWritesNoted = false;
  let isWarned = false;
  const poller = createPoller({
    read: (question) => database.read(FIRST_STORE).cluster.read(question, database.standby !== undefined),
    elapsed: stopwatch,
    storeIds: arrivals.storeIds,
    workAt: () => (isLeader() ? clock() : undefined),
    apply(changes, storeIds, askedAt) {
      areWritesNoted = changes.standby?.areWritesNoted === true;
      if (changes.standby) void database.standby?.poll(askedAt, changes.standby);
      for (const keyId of changes.keyIds) keyChanges.publish(keyId);
      for (const storeId of storeIds) arrivals.announce(storeId, false);
      const hasOthers = leadership.note(changes);
      if (config.REDIS_URL !== undefined || isWarned || !hasOthers) return;
      isWarned = true;
      log.warn('limits_per_instance', {
        advice: 'several instances are running, and each enforces limits separately; set REDIS_URL to share the limits',
      });
    },
  });
  const leaderOnly: Backend['leaderOnly'] = (job, work) => ({
    ...job,
    run: async () => {
      if (isLeader() && (work === undefined || hasWork(work))) await job.run();
    },
  });
  const poll = async (): Promise<void> => {
    await poller.poll();
    await leadership.tend();
  };
  const suspendStandby = createSuspension({
    elapsed: stopwatch,
    pause: sleep,
    save: (forMs) => database.write(SYSTEM_CALL, ({ cluster }) => cluster.suspendStandby(forMs)),
  });
  return {
    ...{ poller, poll, isLeader, leaderOnly, measure, suspendStandby },
    standby: database.standby,
    areWritesNoted: () => areWritesNoted && poller.isCurrent(),
  };
};

const composeStandby = (
  { config, log, metrics }: BackendDeps,
  stopwatch: Elapsed,
  joined: () => ReturnType<typeof joinCluster>,
): StandbyOptions | undefined => {
  const url = config.PETSTORE_READ_URL;
  if (url === undefined) return undefined;
  const [host] = parsePostgresUrl(url, 'PETSTORE_READ_URL');
  const reads = metrics.counter(
    'petstore_reads_total',
    'Reads that are allowed to go to a standby, by the server that handled them.',
  );
  const counters = { primary: reads({ server: 'primary' }), standby: reads({ server: 'standby' }) };
  const help = 'Maximum age of the data read from the standby; absent while the standby is not used.';
  metrics.read('petstore_standby_lag_seconds', help, () => joined().standby?.lagSeconds());
  return {
    url: host?.url ?? url,
    elapsed: stopwatch,
    areWritesNoted: () => joined().areWritesNoted(),
    count: (server) => counters[server].add(),
    changed: (reason) =>
      reason === undefined ? log.info('standby_usable') : log.warn('standby_unusable', { error: reason }),
  };
};

export const openPostgresBackend = async (url: string, deps: BackendDeps, open = openShared): Promise<Backend> => {
  const { config, randomText, log, stopwatch = () => performance.now() } = deps;
  const { PETSTORE_ENVIRONMENT: environment, PETSTORE_DATABASE_TIMEOUT_MS: timeoutMs } = config;
  const isReadOnly = config.PETSTORE_READ_ONLY;
  const holder = randomText(16);
  const keyChanges = createLocalKeyChanges();
  const arrivals = createLocalArrivals();

  const assignments = coalesceAssignments({
    assignSome: (storeId) => database.read(FIRST_STORE).sequencer.assignSome(storeId),
    assigned(storeId, hasDeliveries) {
      arrivals.announce(storeId, hasDeliveries);
      if (hasDeliveries && !isLeader()) wakeUps?.add(storeId);
    },
    failed: (error) => log.warn('sequencing_failed', { error: explainError(error) }),
  });
  const clock = () => (deps.clock ?? poller.clock)();
  const sequencer = sequenceAfterCommit({
    ...assignments,
    ...(isReadOnly ? { assign: async () => undefined } : {}),
    now: deps.clock ?? (() => null),
  });
  const database = await open({
    url,
    environment,
    timeoutMs,
    connections: config.PETSTORE_DATABASE_CONNECTIONS,
    prepare: config.PETSTORE_DATABASE_PREPARE,
    use: isReadOnly ? 'read' : 'write',
    standby: composeStandby(deps, stopwatch, () => joined),
    bind: bindRepositories({ clock, randomText, keyChanges, sequencer }),
  });
  const joined = joinCluster(database, holder, stopwatch, { config, log, clock, keyChanges, arrivals });
  const { poller, poll, isLeader, leaderOnly, measure, suspendStandby } = joined;
  await poll().catch(async (error) => {
    await database.close();
    throw error;
  });
  const wakeUps = config.REDIS_URL && connectWakeUps(config.REDIS_URL, (storeId) => arrivals.announce(storeId));

  return {
    database,
    clock,
    keyChanges: { ...keyChanges, isCurrent: poller.isCurrent },
    arrivals,
    isLeader,
    leaderOnly,
    measure,
    schema: MIGRATIONS.length,
    ...(database.standby && { suspendStandby }),
    jobs: [
      { name: 'poll-changes', everyMs: IDLE_POLL_MS, run: poll },
      { name: 'poll-changes-in-use', everyMs: POLL_MS, run: poller.pollIfUsed },
      // Assigns sequence numbers to events that another instance committed just before it died.
      leaderOnly(
        { name: 'assign-sequences', everyMs: 1000, run: () => database.read(FIRST_STORE).sequencer.assignAll() },
        'events',
      ),
    ],
    async close() {
      wakeUps?.close();
      // Resigns as the leader, so that another instance can take over now instead of when the term ends.
      await database.write(SYSTEM_CALL, ({ cluster }) => cluster.resign(holder)).catch(() => undefined);
      await database.close();
    },
  };
};

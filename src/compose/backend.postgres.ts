import { sqlCluster } from '../cluster/cluster.repository.sql.ts';
import type { ClusterReads, ClusterRepository } from '../cluster/cluster.repository.ts';
import { createLeadership } from '../cluster/leadership.ts';
import { createPoller, IDLE_POLL_MS, POLL_MS } from '../cluster/poller.ts';
import { explainError } from '../kernel/log.ts';
import { type Call, FIRST_STORE, SYSTEM_CALL } from '../kernel/operation.ts';
import { type Elapsed, elapsed } from '../kernel/runtime.ts';
import { connectWakeUps } from '../limits/redis/wake-ups.redis.ts';
import { createLocalKeyChanges } from '../resources/keys/changes.ts';
import type { Database } from '../storage/database.ts';
import { openPostgres } from '../storage/postgres/database.ts';
import type { Sql } from '../storage/sql.ts';
import { createLocalArrivals } from '../streaming/arrivals.ts';
import { coalesceAssignments } from '../streaming/coalesce-assignments.ts';
import { sequenceAfterCommit } from '../streaming/sequencer.sql.ts';
import type { Sequencer } from '../streaming/sequencer.ts';
import { type Backend, type BackendDeps, bindRepositories, type Reads, type Repositories } from './repositories.ts';

type SharedReads = Reads & { cluster: ClusterReads; sequencer: Sequencer };
type SharedRepositories = Repositories & { cluster: ClusterRepository };

const openShared = openPostgres<SharedReads, SharedRepositories>;

type Shared = Database<SharedReads, SharedRepositories>;
type ClusterDeps = Pick<Backend, 'clock' | 'keyChanges' | 'arrivals'> & Pick<BackendDeps, 'config' | 'log'>;

/** Finds out what other instances have changed, and elects one instance to run the jobs. */
const joinCluster = (database: Shared, holder: string, stopwatch: Elapsed, deps: ClusterDeps) => {
  const { config, log, clock, keyChanges, arrivals } = deps;
  const leadership = createLeadership({
    holder,
    clock,
    elapsed,
    lead: async (now, until) =>
      !config.PETSTORE_READ_ONLY && database.write(SYSTEM_CALL, ({ cluster }) => cluster.lead(holder, now, until)),
  });
  const { isLeader, hasWork } = leadership;

  let isWarned = false;
  const poller = createPoller({
    read: (question) => database.read(FIRST_STORE).cluster.read(question),
    elapsed: stopwatch,
    storeIds: arrivals.storeIds,
    workAt: () => (isLeader() ? clock() : undefined),
    apply(changes, storeIds) {
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
  return { poller, poll, isLeader, leaderOnly };
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
  const bindAll = bindRepositories({ clock, randomText, keyChanges, sequencer });
  const bind = (sql: Sql, call: Call): SharedRepositories => ({
    ...bindAll(sql, call),
    cluster: sqlCluster(sql),
  });
  const database = await open({
    url,
    environment,
    timeoutMs,
    connections: config.PETSTORE_DATABASE_CONNECTIONS,
    prepare: config.PETSTORE_DATABASE_PREPARE,
    isReadOnly,
    bind,
  });
  const { poller, poll, isLeader, leaderOnly } = joinCluster(database, holder, stopwatch, {
    config,
    log,
    clock,
    keyChanges,
    arrivals,
  });
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
    jobs: [
      { name: 'poll-changes', everyMs: IDLE_POLL_MS, run: poll },
      { name: 'poll-changes-in-use', everyMs: POLL_MS, run: poller.pollIfUsed },
      // Assigns sequence numbers to events that another instance committed just before it died.
      leaderOnly(
        { name: 'assign-sequences', everyMs: 1000, run: () => database.read(FIRST_STORE).sequencer.assignPending() },
        'events',
      ),
    ],
    async close() {
      wakeUps?.close();
      // Lets another instance take over immediately. If this fails, another takes over when the term ends.
      await database.write(SYSTEM_CALL, ({ cluster }) => cluster.resign(holder)).catch(() => undefined);
      await database.close();
    },
  };
};

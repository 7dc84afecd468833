import { sqlChanges } from '../cluster/changes.repository.sql.ts';
import { type ChangesRepository, INSTANCE, type LeaseRepository } from '../cluster/cluster.repository.ts';
import { createLeaderOnly, LEASE_MS } from '../cluster/leader-only.ts';
import { sqlLeases } from '../cluster/leases.repository.sql.ts';
import { createPoller, POLL_MS } from '../cluster/poller.ts';
import { explainError } from '../kernel/log.ts';
import { type Call, FIRST_STORE, SYSTEM_CALL } from '../kernel/operation.ts';
import { createLocalKeyChanges } from '../resources/keys/changes.ts';
import { openPostgres } from '../storage/postgres/database.ts';
import type { Sql } from '../storage/sql.ts';
import { createLocalArrivals } from '../streaming/arrivals.ts';
import { coalesceAssignments } from '../streaming/coalesce-assignments.ts';
import { sequenceAfterCommit } from '../streaming/sequencer.sql.ts';
import type { Sequencer } from '../streaming/sequencer.ts';
import { type Backend, type BackendDeps, bindRepositories, type Reads, type Repositories } from './repositories.ts';

/** Leases that expired this long ago, in ms, are deleted, because the instance that held them is dead. */
const FORGOTTEN_MS = 60_000;

type SharedReads = Reads & { changes: ChangesRepository; sequencer: Sequencer };
type SharedRepositories = Repositories & SharedReads & { leases: LeaseRepository };

const openShared = openPostgres<SharedReads, SharedRepositories>;

export const openPostgresBackend = async (url: string, deps: BackendDeps, open = openShared): Promise<Backend> => {
  const { config, randomText, log, stopwatch = () => performance.now() } = deps;
  const { PETSTORE_ENVIRONMENT: environment, PETSTORE_DATABASE_TIMEOUT_MS: timeoutMs } = config;
  const isReadOnly = config.PETSTORE_READ_ONLY;
  const holder = randomText(16);
  const keyChanges = createLocalKeyChanges();
  const arrivals = createLocalArrivals();

  const assignments = coalesceAssignments({
    assignSome: (storeId) => database.writeForReaders(SYSTEM_CALL, ({ sequencer }) => sequencer.assignSome(storeId)),
    assigned: arrivals.announce,
    failed: (error) => log.warn('sequencing_failed', { error: explainError(error) }),
  });
  const clock = () => (deps.clock ?? poller.clock)();
  const bindAll = bindRepositories({
    clock,
    randomText,
    keyChanges,
    sequencer: sequenceAfterCommit(isReadOnly ? { ...assignments, assign: async () => undefined } : assignments),
  });
  const bind = (sql: Sql, call: Call): SharedRepositories => ({
    ...bindAll(sql, call),
    leases: sqlLeases(sql),
    changes: sqlChanges(sql),
  });
  const connections = config.PETSTORE_DATABASE_CONNECTIONS;
  const database = await open({ url, environment, timeoutMs, connections, isReadOnly, bind });

  let isWarned = false;
  const poller = createPoller({
    read: (mark) => database.read(FIRST_STORE).changes.since(mark),
    elapsed: stopwatch,
    apply({ keyIds, storeIds, instances }) {
      for (const keyId of keyIds) keyChanges.publish(keyId);
      for (const storeId of storeIds) arrivals.announce(storeId);
      if (config.REDIS_URL !== undefined || isWarned || instances < 2) return;
      isWarned = true;
      log.warn('limits_per_instance', {
        instances,
        advice: 'several instances are running, and each enforces limits separately; set REDIS_URL to share the limits',
      });
    },
  });
  await poller.poll().catch(async (error) => {
    await database.close();
    throw error;
  });

  const showInstance = () =>
    database.write(SYSTEM_CALL, async ({ leases }) => {
      await leases.acquire(`${INSTANCE}${holder}`, holder, clock(), clock() + LEASE_MS);
      await leases.forget(clock() - FORGOTTEN_MS);
    });
  const leaderOnly = createLeaderOnly({ holder, now: clock, write: (body) => database.write(SYSTEM_CALL, body) });
  // Assigns sequence numbers to events that another instance committed just before it died.
  const assignSequences = leaderOnly({
    name: 'assign-sequences',
    everyMs: 1000,
    run: () => database.read(FIRST_STORE).sequencer.assignPending(),
  });

  return {
    database,
    clock,
    keyChanges: { ...keyChanges, isCurrent: poller.isCurrent },
    arrivals,
    holder,
    lease: (name, until) => database.write(SYSTEM_CALL, ({ leases }) => leases.acquire(name, holder, clock(), until)),
    leaderOnly,
    jobs: [
      { name: 'poll-changes', everyMs: POLL_MS, run: poller.poll },
      ...(isReadOnly ? [] : [{ name: 'show-instance', everyMs: 1000, run: showInstance }, assignSequences]),
    ],
    async close() {
      // Lets other instances take over immediately. If the release fails, they take over once the leases expire.
      await database.write(SYSTEM_CALL, ({ leases }) => leases.release(holder)).catch(() => undefined);
      await database.close();
    },
  };
};

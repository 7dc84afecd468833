import { type ClusterRepository, sqlCluster } from '../cluster/cluster.repository.sql.ts';
import type { Work } from '../cluster/poller.ts';
import type { Config } from '../config.ts';
import { sqlDeliveryQueue } from '../delivery/queue.repository.sql.ts';
import { sqlIdempotency, sqlKeptAnswers } from '../idempotency/idempotency.repository.sql.ts';
import type { IdempotencyReads } from '../idempotency/idempotency.repository.ts';
import type { RandomText } from '../kernel/ids.ts';
import type { Job } from '../kernel/job.ts';
import type { Log } from '../kernel/log.ts';
import type { Metrics } from '../kernel/metrics.ts';
import { type Call, SYSTEM_CALL, type WriteInStore } from '../kernel/operation.ts';
import type { Clock } from '../kernel/runtime.ts';
import { sqlLimits } from '../limits/limits.repository.sql.ts';
import type { LimitReads } from '../limits/limits.repository.ts';
import { sqlCategories } from '../resources/categories/categories.repository.sql.ts';
import type { CategoryReads } from '../resources/categories/categories.repository.ts';
import { sqlEventLog, sqlEvents, sqlOldEvents } from '../resources/events/events.repository.sql.ts';
import type { EventReads, OldEvents } from '../resources/events/events.repository.ts';
import type { KeyChanges } from '../resources/keys/changes.ts';
import { sqlKeys } from '../resources/keys/keys.repository.sql.ts';
import type { KeyReads } from '../resources/keys/keys.repository.ts';
import { sqlDueOrders, sqlOrders } from '../resources/orders/orders.repository.sql.ts';
import type { DueOrders, OrderReads } from '../resources/orders/orders.repository.ts';
import { sqlPets } from '../resources/pets/pets.repository.sql.ts';
import type { PetReads } from '../resources/pets/pets.repository.ts';
import { seedHistory } from '../resources/sandbox/seed-history.ts';
import { seedStore } from '../resources/sandbox/seed-store.ts';
import { sqlStores } from '../resources/stores/stores.repository.sql.ts';
import type { StoreReads } from '../resources/stores/stores.repository.ts';
import { sqlUsage } from '../resources/usage/usage.repository.sql.ts';
import type { UsageReads } from '../resources/usage/usage.repository.ts';
import { sqlWebhooks } from '../resources/webhooks/webhooks.repository.sql.ts';
import type { DeliveryQueue, WebhookReads } from '../resources/webhooks/webhooks.repository.ts';
import type { Database } from '../storage/database.ts';
import type { Sql } from '../storage/sql.ts';
import type { Arrivals } from '../streaming/arrivals.ts';
import type { Sequencer } from '../streaming/sequencer.ts';

export type RepositoryDeps = {
  clock: Clock;
  randomText: RandomText;
  keyChanges: Pick<KeyChanges, 'publish'>;
  sequencer(sql: Sql): Sequencer;
};

const createRepositories = (sql: Sql, storeId: bigint, { clock, keyChanges, randomText, ...deps }: RepositoryDeps) => {
  const sequencer = deps.sequencer(sql);
  const repositories = {
    now: clock,
    pause: sql.pause,
    sequencer,
    cluster: sqlCluster(sql),
    categories: sqlCategories(sql, storeId),
    pets: sqlPets(sql, storeId, clock),
    orders: sqlOrders(sql, storeId),
    idempotency: sqlIdempotency(sql, storeId, clock),
    webhooks: sqlWebhooks(sql, storeId, { now: clock, sequencer }),
    events: sqlEvents(sql, storeId, sequencer, clock),
    stores: sqlStores(sql, clock),
    keys: sqlKeys(sql, keyChanges),
    limits: sqlLimits(sql),
    usage: sqlUsage(sql),
    keptAnswers: sqlKeptAnswers(sql),
    dueOrders: sqlDueOrders(sql),
    deliveryQueue: sqlDeliveryQueue(sql),
    oldEvents: sqlOldEvents(sql),
  };
  return { repositories, logOf: sqlEventLog(sql, storeId, { now: clock, randomText, sequencer }) };
};

type Cached = ReturnType<typeof createRepositories>;

/** The repositories of a store take up 13 kB for each connection, and PostgreSQL may have many write connections. */
const mostCached = ({ isSoleWriter, isReadOnly }: Sql): number => (isSoleWriter || isReadOnly ? 1000 : 50);

/**
 * Caches the repositories for each connection and store. Creating them takes 3 to 7 µs, ten times as long as
 * finding them in the cache.
 */
export const bindRepositories = (deps: RepositoryDeps) => {
  const cache = new WeakMap<Sql, Map<bigint, Cached>>();

  const bind = (sql: Sql, call: Call) => {
    const byStore = cache.get(sql) ?? new Map<bigint, Cached>();
    let cached = byStore.get(call.storeId);
    if (!cached) {
      if (byStore.size >= mostCached(sql)) byStore.clear();
      cached = createRepositories(sql, call.storeId, deps);
      cache.set(sql, byStore.set(call.storeId, cached));
    }
    const { repositories, logOf } = cached;
    const { append, appendMany } = logOf(call);
    return {
      ...repositories,
      events: { ...repositories.events, append, appendMany },
      seedStore: (storeId: bigint, keyId: string): Promise<void> => seedStore(bind(sql, { ...call, storeId }), keyId),
      seedHistory: (storeId: bigint, keyId: string): Promise<void> =>
        seedHistory(
          (clock) => bindRepositories({ ...deps, clock })(sql, { ...call, storeId, keyId: keyId || null }),
          keyId,
          repositories.now(),
        ),
    };
  };
  return bind;
};

export type Reads = {
  now: Clock;
  pets: PetReads;
  categories: CategoryReads;
  orders: OrderReads;
  idempotency: IdempotencyReads;
  dueOrders: DueOrders;
  webhooks: WebhookReads;
  deliveryQueue: DeliveryQueue;
  sequencer: Sequencer;
  cluster: Pick<ClusterRepository, 'read'>;
  oldEvents: OldEvents;
  stores: StoreReads;
  events: EventReads;
  keys: KeyReads;
  usage: UsageReads;
  limits: LimitReads;
};

export type Repositories = ReturnType<ReturnType<typeof bindRepositories>>;

export type Backend = {
  database: Database<Reads, Repositories>;
  /** The clock for all stored times: this process's clock on SQLite, the database server's clock on PostgreSQL. */
  clock: Clock;
  keyChanges: KeyChanges;
  arrivals: Arrivals;
  isLeader(): boolean;
  /**
   * Makes a job run only on the leader. On PostgreSQL, `work` names the kind of work that the job does, and the job
   * is skipped while there is no such work.
   */
  leaderOnly(job: Job, work?: Work): Job;
  /** Measures how far behind this kind of work is. Undefined on instances that are not the leader. */
  measure(kind: Work, read: () => Promise<number>): Promise<number | undefined>;
  jobs: readonly Job[];
  schema: number;
  /** Time of the last backup, in milliseconds since 1970. Undefined on PostgreSQL, which has its own backup tools. */
  lastBackupAt?(): number | undefined;
  suspendStandby?(): Promise<void>;
  prepare?(): Promise<void>;
  close(): Promise<void>;
};

export type BackendDeps = {
  config: Config;
  randomText: RandomText;
  log: Log;
  metrics: Metrics;
  clock?: Clock | undefined;
  stopwatch?: (() => number) | undefined;
  endByKill?: (() => void) | undefined;
  checkpointPages?: number | undefined;
  maxWaiting?: number;
  maxPets?: number;
  maxEvents?: number;
};

export const writeInStore =
  (database: Backend['database']): WriteInStore<Repositories> =>
  (storeId, body) =>
    database.write({ ...SYSTEM_CALL, storeId }, body);

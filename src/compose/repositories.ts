import { sqlDeliveryQueue } from '../delivery/queue.repository.sql.ts';
import { sqlIdempotency, sqlKeptAnswers } from '../idempotency/idempotency.repository.sql.ts';
import type { IdempotencyReads } from '../idempotency/idempotency.repository.ts';
import type { Clock } from '../kernel/clock.ts';
import type { RandomText } from '../kernel/ids.ts';
import type { Call } from '../kernel/operation.ts';
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
import { seedStore } from '../resources/sandbox/seed-store.ts';
import { sqlResets, sqlStoreReads, sqlStores } from '../resources/stores/stores.repository.sql.ts';
import type { ResetReads, StoreReads } from '../resources/stores/stores.repository.ts';
import { sqlUsage } from '../resources/usage/usage.repository.sql.ts';
import type { UsageReads } from '../resources/usage/usage.repository.ts';
import { sqlWebhooks } from '../resources/webhooks/webhooks.repository.sql.ts';
import type { DeliveryQueue, WebhookReads } from '../resources/webhooks/webhooks.repository.ts';
import type { Sql } from '../storage/sql.ts';
import type { Sequencer } from '../streaming/sequencer.ts';

/** What repositories are made with: the time, chance, and those who are told once something is on disk. */
export type RepositoryDeps = {
  clock: Clock;
  randomText: RandomText;
  keyChanges: Pick<KeyChanges, 'publish'>;
  sequencer(sql: Sql): Sequencer;
};

/** Everything that depends on the connection and the store, and not on the call. */
const createRepositories = (sql: Sql, storeId: bigint, { clock, randomText, keyChanges, ...deps }: RepositoryDeps) => {
  const sequencer = deps.sequencer(sql);
  return {
    now: clock,
    pause: sql.pause,
    sequencer,
    // These see the rows of that store and no other.
    categories: sqlCategories(sql, storeId),
    pets: sqlPets(sql, storeId, clock),
    orders: sqlOrders(sql, storeId),
    idempotency: sqlIdempotency(sql, storeId, clock),
    webhooks: sqlWebhooks(sql, storeId, { now: clock, randomText, sequencer }),
    events: sqlEvents(sql, storeId, sequencer),
    // These belong to the deployment, or look for work in all stores.
    stores: sqlStores(sql, clock),
    resets: sqlResets(sql),
    keys: sqlKeys(sql, keyChanges),
    limits: sqlLimits(sql),
    usage: sqlUsage(sql),
    storeReads: sqlStoreReads(sql),
    keptAnswers: sqlKeptAnswers(sql),
    dueOrders: sqlDueOrders(sql),
    deliveryQueue: sqlDeliveryQueue(sql),
    oldEvents: sqlOldEvents(sql),
  };
};

type Cached = ReturnType<typeof createRepositories>;

/** The repositories of so many stores are kept for each connection. */
const MOST_CACHED = 1000;

/**
 * The repositories of one call on one connection. To make them takes 3 µs, ten times as long as to find them: what does not
 * depend on the call is kept for as long as the connection is. The readers of SQLite, which know no call, are kept whole
 * by the database itself.
 */
export const bindRepositories = (deps: RepositoryDeps) => {
  const cache = new WeakMap<Sql, Map<bigint, Cached>>();

  const findOrCreate = (sql: Sql, storeId: bigint): Cached => {
    const byStore = cache.get(sql) ?? new Map<bigint, Cached>();
    const known = byStore.get(storeId);
    if (known) return known;
    if (byStore.size >= MOST_CACHED) byStore.clear();
    const made = createRepositories(sql, storeId, deps);
    cache.set(sql, byStore.set(storeId, made));
    return made;
  };

  const bind = (sql: Sql, call: Call) => {
    const repositories = findOrCreate(sql, call.storeId);
    const { now, sequencer } = repositories;
    return {
      ...repositories,
      events: { ...repositories.events, ...sqlEventLog(sql, call, { now, randomText: deps.randomText, sequencer }) },
      /** For the operator, who opens stores for others. */
      seedStore: (storeId: bigint, keyId: string): Promise<void> => seedStore(bind(sql, { ...call, storeId }), keyId),
    };
  };
  return bind;
};

/** What a reading operation is handed. */
export type Reads = {
  now: Clock;
  pets: PetReads;
  categories: CategoryReads;
  orders: OrderReads;
  idempotency: IdempotencyReads;
  dueOrders: DueOrders;
  webhooks: WebhookReads;
  deliveryQueue: DeliveryQueue;
  sequencer: Pick<Sequencer, 'pendingSince'>;
  oldEvents: OldEvents;
  resets: ResetReads;
  events: EventReads;
  keys: KeyReads;
  usage: UsageReads;
  storeReads: StoreReads;
  limits: LimitReads;
};

/** What a writing operation is handed, inside its transaction. */
export type Repositories = ReturnType<ReturnType<typeof bindRepositories>>;

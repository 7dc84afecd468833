import { sqlCategories } from '../categories/categories.repository.sql.ts';
import type { CategoryReads } from '../categories/categories.repository.ts';
import type { Sql } from '../database/sql.ts';
import { sqlEventLog, sqlEvents, sqlOldEvents } from '../events/events.repository.sql.ts';
import type { EventReads, EventRepository, OldEvents } from '../events/events.repository.ts';
import type { Sequencer } from '../events/sequencer.ts';
import { sqlIdempotency, sqlKeptAnswers } from '../idempotency/idempotency.repository.sql.ts';
import type { Clock } from '../kernel/clock.ts';
import type { EventLog } from '../kernel/event.ts';
import type { KeyChanges } from '../kernel/key-changes.ts';
import type { Call } from '../kernel/operation.ts';
import type { RandomText } from '../kernel/random-id.ts';
import { sqlKeys } from '../keys/keys.repository.sql.ts';
import type { KeyReads } from '../keys/keys.repository.ts';
import { sqlLimits } from '../limits/limits.repository.sql.ts';
import type { LimitReads } from '../limits/limits.repository.ts';
import { sqlDueOrders, sqlOrders } from '../orders/orders.repository.sql.ts';
import type { DueOrders, OrderReads } from '../orders/orders.repository.ts';
import { sqlPets } from '../pets/pets.repository.sql.ts';
import type { PetReads } from '../pets/pets.repository.ts';
import { sqlStores } from '../stores/stores.repository.sql.ts';
import { sqlUsage } from '../usage/usage.repository.sql.ts';
import type { UsageReads } from '../usage/usage.repository.ts';
import { sqlDeliveryQueue } from '../webhooks/queue.repository.sql.ts';
import { sqlWebhooks } from '../webhooks/webhooks.repository.sql.ts';
import type { DeliveryQueue, WebhookReads } from '../webhooks/webhooks.repository.ts';

/** What all stores share: the time, chance, and those who are told once something is on disk. */
export type RepositoryDeps = {
  clock: Clock;
  randomText: RandomText;
  keyChanges: Pick<KeyChanges, 'publish'>;
  sequencer(sql: Sql): Sequencer;
};

/** All stores that are the same for every call in one store: they see the rows of that store and no other. */
const bindToStore = (
  sql: Sql,
  storeId: bigint,
  { clock, randomText, keyChanges, ...world }: RepositoryDeps,
  sequencer = world.sequencer(sql),
) => ({
  now: clock,
  categories: sqlCategories(sql, storeId),
  pets: sqlPets(sql, storeId, clock),
  orders: sqlOrders(sql, storeId),
  idempotency: sqlIdempotency(sql, storeId, clock),
  webhooks: sqlWebhooks(sql, storeId, { now: clock, randomText, sequencer }),
  sequencer,
  events: sqlEvents(sql, storeId, sequencer),
  stores: sqlStores(sql, clock),
  keys: sqlKeys(sql, keyChanges),
  limits: sqlLimits(sql),
  usage: sqlUsage(sql),
  keptAnswers: sqlKeptAnswers(sql),
  dueOrders: sqlDueOrders(sql),
  deliveryQueue: sqlDeliveryQueue(sql),
  oldEvents: sqlOldEvents(sql),
});

/** So many stores are kept bound to a connection. */
const MOST_BOUND = 1000;

/** All stores on one connection, for one call. Those of the operator can reach into another catalogue. */
export const bindRepositories = (world: RepositoryDeps) => {
  const bound = new WeakMap<Sql, Map<bigint, ReturnType<typeof bindToStore>>>();

  const boundTo = (sql: Sql, storeId: bigint) => {
    const stores = bound.get(sql) ?? new Map<bigint, ReturnType<typeof bindToStore>>();
    if (stores.size === 0) bound.set(sql, stores);
    const known = stores.get(storeId);
    if (known) return known;
    if (stores.size >= MOST_BOUND) stores.clear();
    const fresh = bindToStore(sql, storeId, world);
    stores.set(storeId, fresh);
    return fresh;
  };

  const bindAll = (sql: Sql, call: Call) => {
    const stores = boundTo(sql, call.storeId);
    const { now, sequencer } = stores;
    return {
      ...stores,
      events: { ...stores.events, ...sqlEventLog(sql, call, { now, randomText: world.randomText, sequencer }) },
      catalogueOf: (storeId: bigint): Catalogue => bindAll(sql, { ...call, storeId }),
    };
  };
  return bindAll;
};

/** What a reading operation is handed. */
export type Reads = {
  now: Clock;
  pets: PetReads;
  categories: CategoryReads;
  orders: OrderReads;
  dueOrders: DueOrders;
  webhooks: WebhookReads;
  deliveryQueue: DeliveryQueue;
  oldEvents: OldEvents;
  events: EventReads;
  keys: KeyReads;
  usage: UsageReads;
  limits: LimitReads;
};

export type Repositories = ReturnType<ReturnType<typeof bindRepositories>>;
type CatalogueRepository = 'now' | 'categories' | 'pets' | 'orders' | 'idempotency' | 'webhooks';

/** The stores of one catalogue, without those that belong to the deployment. */
export type Catalogue = Pick<ReturnType<typeof bindToStore>, CatalogueRepository> & {
  events: EventLog & EventRepository;
};

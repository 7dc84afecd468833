import { categoriesOnSql } from './categories/categories.store.sql.ts';
import type { CategoryReads } from './categories/categories.store.ts';
import type { Sql } from './database/sql.ts';
import { eventsOnSql, oldEventsOnSql } from './events/events.store.sql.ts';
import type { EventReads, OldEvents } from './events/events.store.ts';
import type { Numbering } from './events/numbering.ts';
import { idempotencyOnSql, keptAnswersOnSql } from './idempotency/idempotency.store.sql.ts';
import type { Clock } from './kernel/clock.ts';
import type { KeyChanges } from './kernel/key-changes.ts';
import type { Call } from './kernel/operation.ts';
import type { RandomText } from './kernel/random-id.ts';
import { keysOnSql } from './keys/keys.store.sql.ts';
import type { KeyReads } from './keys/keys.store.ts';
import { limitsOnSql } from './limits/limits.store.sql.ts';
import type { LimitReads } from './limits/limits.store.ts';
import { dueOrdersOnSql, ordersOnSql } from './orders/orders.store.sql.ts';
import type { DueOrders, OrderReads } from './orders/orders.store.ts';
import { petsOnSql } from './pets/pets.store.sql.ts';
import type { PetReads } from './pets/pets.store.ts';
import { storesOnSql } from './stores/stores.store.sql.ts';
import { usageOnSql } from './usage/usage.store.sql.ts';
import type { UsageReads } from './usage/usage.store.ts';
import { deliveryQueueOnSql } from './webhooks/queue.store.sql.ts';
import { webhooksOnSql } from './webhooks/webhooks.store.sql.ts';
import type { DeliveryQueue, WebhookReads } from './webhooks/webhooks.store.ts';

/** What all stores share: the time, chance, and those who are told once something is on disk. */
export type StoreWorld = {
  clock: Clock;
  randomText: RandomText;
  keyChanges: Pick<KeyChanges, 'publish'>;
  numbering(sql: Sql): Numbering;
};

/** All stores that are the same for every call in one store: they see the rows of that store and no other. */
const bindStore = (
  sql: Sql,
  storeId: bigint,
  { clock, randomText, keyChanges, ...world }: StoreWorld,
  numbering = world.numbering(sql),
) => ({
  now: clock,
  categories: categoriesOnSql(sql, storeId),
  pets: petsOnSql(sql, storeId, clock),
  orders: ordersOnSql(sql, storeId),
  idempotency: idempotencyOnSql(sql, storeId, clock),
  webhooks: webhooksOnSql(sql, storeId, { now: clock, randomText, numbering }),
  numbering,
  stores: storesOnSql(sql, clock),
  keys: keysOnSql(sql, keyChanges),
  limits: limitsOnSql(sql),
  usage: usageOnSql(sql),
  keptAnswers: keptAnswersOnSql(sql),
  dueOrders: dueOrdersOnSql(sql),
  deliveryQueue: deliveryQueueOnSql(sql),
  oldEvents: oldEventsOnSql(sql),
});

/** So many stores are kept bound to a connection. */
const MOST_BOUND = 1000;

/** All stores on one connection, for one call. Those of the operator can reach into another catalogue. */
export const bindStores = (world: StoreWorld) => {
  const bound = new WeakMap<Sql, Map<bigint, ReturnType<typeof bindStore>>>();

  const boundTo = (sql: Sql, storeId: bigint) => {
    const stores = bound.get(sql) ?? new Map<bigint, ReturnType<typeof bindStore>>();
    if (stores.size === 0) bound.set(sql, stores);
    const known = stores.get(storeId);
    if (known) return known;
    if (stores.size >= MOST_BOUND) stores.clear();
    const fresh = bindStore(sql, storeId, world);
    stores.set(storeId, fresh);
    return fresh;
  };

  const bindAll = (sql: Sql, call: Call) => {
    const stores = boundTo(sql, call.storeId);
    const { now, numbering } = stores;
    return {
      ...stores,
      events: eventsOnSql(sql, call, { now, randomText: world.randomText, numbering }),
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

export type Stores = ReturnType<ReturnType<typeof bindStores>>;
type CatalogueStores = 'now' | 'categories' | 'pets' | 'orders' | 'idempotency' | 'webhooks';

/** The stores of one catalogue, without those that belong to the deployment. */
export type Catalogue = Pick<ReturnType<typeof bindStore>, CatalogueStores> & {
  events: ReturnType<typeof eventsOnSql>;
};

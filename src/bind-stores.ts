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

/** The stores of a catalogue: they see the rows of one store and no other. */
const bindCatalogue = (
  sql: Sql,
  call: Call,
  { clock, randomText, ...world }: StoreWorld,
  numbering = world.numbering(sql),
) => ({
  now: clock,
  categories: categoriesOnSql(sql, call.storeId),
  pets: petsOnSql(sql, call.storeId, clock),
  orders: ordersOnSql(sql, call.storeId),
  idempotency: idempotencyOnSql(sql, call.storeId, clock),
  webhooks: webhooksOnSql(sql, call.storeId, { now: clock, randomText, numbering }),
  events: eventsOnSql(sql, call, { now: clock, randomText, numbering }),
});

/** All stores on one connection, for one call. Those of the operator can reach into another catalogue. */
export const bindStores = (world: StoreWorld) => (sql: Sql, call: Call) => ({
  ...bindCatalogue(sql, call, world),
  stores: storesOnSql(sql, world.clock),
  keys: keysOnSql(sql, world.keyChanges),
  limits: limitsOnSql(sql),
  usage: usageOnSql(sql),
  keptAnswers: keptAnswersOnSql(sql),
  dueOrders: dueOrdersOnSql(sql),
  deliveryQueue: deliveryQueueOnSql(sql),
  oldEvents: oldEventsOnSql(sql),
  catalogueOf: (storeId: bigint) => bindCatalogue(sql, { ...call, storeId }, world),
});

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
export type Catalogue = ReturnType<typeof bindCatalogue>;

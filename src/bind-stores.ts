import { categoriesOnSql } from './categories/categories.store.sql.ts';
import type { CategoryReads } from './categories/categories.store.ts';
import type { Sql } from './database/sql.ts';
import { eventsOnSql } from './events/events.store.sql.ts';
import type { EventReads } from './events/events.store.ts';
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

/** The stores of a catalogue: they see the rows of one store and no other. */
const bindCatalogue = (sql: Sql, call: Call, clock: Clock, randomText: RandomText) => ({
  now: clock,
  categories: categoriesOnSql(sql, call.storeId),
  pets: petsOnSql(sql, call.storeId, clock),
  orders: ordersOnSql(sql, call.storeId),
  idempotency: idempotencyOnSql(sql, call.storeId, clock),
  events: eventsOnSql(sql, call, clock, randomText),
});

/** All stores on one connection, for one call. Those of the operator can reach into another catalogue. */
export const bindStores = (clock: Clock, randomText: RandomText, keyChanges: KeyChanges) => (sql: Sql, call: Call) => ({
  ...bindCatalogue(sql, call, clock, randomText),
  stores: storesOnSql(sql, clock),
  keys: keysOnSql(sql, keyChanges),
  limits: limitsOnSql(sql),
  usage: usageOnSql(sql),
  keptAnswers: keptAnswersOnSql(sql),
  dueOrders: dueOrdersOnSql(sql),
  catalogueOf: (storeId: bigint) => bindCatalogue(sql, { ...call, storeId }, clock, randomText),
});

/** What a reading operation is handed. */
export type Reads = {
  now: Clock;
  pets: PetReads;
  categories: CategoryReads;
  orders: OrderReads;
  dueOrders: DueOrders;
  events: EventReads;
  keys: KeyReads;
  usage: UsageReads;
  limits: LimitReads;
};

export type Stores = ReturnType<ReturnType<typeof bindStores>>;
export type Catalogue = ReturnType<typeof bindCatalogue>;

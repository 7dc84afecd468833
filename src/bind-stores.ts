import { categoriesOnSql } from './categories/categories.store.sql.ts';
import type { Sql } from './database/sql.ts';
import { eventsOnSql } from './events/events.store.sql.ts';
import type { Clock } from './kernel/clock.ts';
import type { Call } from './kernel/operation.ts';
import type { RandomText } from './kernel/random-id.ts';
import { keysOnSql } from './keys/keys.store.sql.ts';
import { limitsOnSql } from './limits/limits.store.sql.ts';
import { petsOnSql } from './pets/pets.store.sql.ts';
import { storesOnSql } from './stores/stores.store.sql.ts';

/** All stores on one connection, for one call: those of a catalogue see the rows of the call's store and no other. */
export const bindStores = (clock: Clock, randomText: RandomText) => (sql: Sql, call: Call) => ({
  now: clock,
  stores: storesOnSql(sql, clock),
  keys: keysOnSql(sql),
  limits: limitsOnSql(sql),
  categories: categoriesOnSql(sql, call.storeId),
  pets: petsOnSql(sql, call.storeId, clock),
  events: eventsOnSql(sql, call, clock, randomText),
});

export type Stores = ReturnType<ReturnType<typeof bindStores>>;

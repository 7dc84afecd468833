import { EVENT_COLUMNS, eventIndexes, IDEMPOTENCY_COLUMNS, inSqlite, SHARED_TABLES } from '../schema.ts';

/**
 * Once a step is released, it must never change. `PRAGMA user_version` is the number of steps applied to a file. Orders
 * and events keep the ids of deleted pets, so they have no foreign key to pets.
 */
export const MIGRATIONS: readonly string[] = [
  `
  -- The first schema.

  CREATE TABLE deployment (environment TEXT NOT NULL) STRICT;

  ${inSqlite(SHARED_TABLES)}
  -- Queries by status read only this index, because looking up each pet would cost more than storing its columns twice.
  CREATE INDEX pets_status ON pets (store_id, status, id, name, category_id, version, held_by_order_id);

  -- The trigrams of names. Pets are added to this index 256 at a time, because adding them one by one would cost far
  -- more. So searches also read the pets with ids above names_indexed. The rowid is the store's id, shifted left by 40
  -- bits, plus the pet's id.
  CREATE VIRTUAL TABLE pet_names
    USING fts5 (folded_name, content = '', columnsize = 0, detail = none, tokenize = 'trigram case_sensitive 1');
  -- Automatic merges would take up to 30 ms. Instead, the trigger merges a few pages after every 256 pets.
  INSERT INTO pet_names (pet_names, rank) VALUES ('automerge', 0);
  ALTER TABLE stores ADD COLUMN names_indexed INTEGER NOT NULL DEFAULT 0;
  CREATE TRIGGER pets_added AFTER INSERT ON pets WHEN NEW.id % 256 = 0 AND NEW.store_id < 4194304
  BEGIN
    INSERT INTO pet_names (rowid, folded_name) SELECT store_id << 40 | id, folded_name FROM pets
      WHERE store_id = NEW.store_id AND id > (SELECT names_indexed FROM stores WHERE id = NEW.store_id) AND id <= NEW.id;
    UPDATE stores SET names_indexed = NEW.id WHERE id = NEW.store_id;
    INSERT INTO pet_names (pet_names, rank) VALUES ('merge', 32);
  END;
  CREATE TRIGGER pets_renamed AFTER UPDATE OF folded_name ON pets WHEN NEW.folded_name <> OLD.folded_name
    AND OLD.id <= (SELECT names_indexed FROM stores WHERE id = OLD.store_id)
  BEGIN
    INSERT INTO pet_names (pet_names, rowid, folded_name) VALUES ('delete', OLD.store_id << 40 | OLD.id, OLD.folded_name);
    INSERT INTO pet_names (rowid, folded_name) VALUES (NEW.store_id << 40 | NEW.id, NEW.folded_name);
  END;
  CREATE TRIGGER pets_deleted AFTER DELETE ON pets
    WHEN OLD.id <= (SELECT names_indexed FROM stores WHERE id = OLD.store_id)
  BEGIN
    INSERT INTO pet_names (pet_names, rowid, folded_name) VALUES ('delete', OLD.store_id << 40 | OLD.id, OLD.folded_name);
  END;

  -- The highest 64-bit integer is never part of a run, because NEW.id + 1 would overflow. The id of a deleted category
  -- stays in its run, so it is never assigned again.
  CREATE TRIGGER categories_added AFTER INSERT ON categories WHEN NEW.id BETWEEN 1 AND 9223372036854775806 AND NEW.id >
    coalesce((SELECT last FROM category_runs WHERE store_id = NEW.store_id AND first <= NEW.id ORDER BY first DESC LIMIT 1), 0)
  BEGIN
    INSERT INTO category_runs (store_id, first, last) VALUES (NEW.store_id, NEW.id,
      coalesce((SELECT last FROM category_runs WHERE store_id = NEW.store_id AND first = NEW.id + 1), NEW.id));
    DELETE FROM category_runs WHERE store_id = NEW.store_id AND first = NEW.id + 1;
    UPDATE category_runs
      SET last = (SELECT last FROM category_runs WHERE store_id = NEW.store_id AND first = NEW.id)
      WHERE store_id = NEW.store_id AND last = NEW.id - 1
        AND first = (SELECT max(first) FROM category_runs WHERE store_id = NEW.store_id AND first < NEW.id);
    DELETE FROM category_runs WHERE store_id = NEW.store_id AND first = NEW.id AND NEW.id <=
      (SELECT last FROM category_runs WHERE store_id = NEW.store_id AND first < NEW.id ORDER BY first DESC LIMIT 1);
  END;

  CREATE TABLE events (
    store_id INTEGER NOT NULL,
    sequence INTEGER NOT NULL,
    id TEXT NOT NULL,
    ${inSqlite(EVENT_COLUMNS)}
    PRIMARY KEY (store_id, sequence)
  ) STRICT, WITHOUT ROWID;
  ${eventIndexes()}
  -- Rows and their only index are stored in order of arrival. Each process finds keys through its own index in memory,
  -- which it loads from the column "key_hash" when it starts. -1 means that the hash must still be computed.
  CREATE TABLE idempotency (
    ${inSqlite(IDEMPOTENCY_COLUMNS)},
    key_hash INTEGER NOT NULL DEFAULT -1
  ) STRICT;
  CREATE INDEX idempotency_kept_at ON idempotency (kept_at, key_hash);

  -- Without these statistics, SQLite would assume ten rows per store and scan a whole store. The numbers for each index
  -- are the total number of rows, then how many rows share its first column, its first two columns, and so on.
  ANALYZE sqlite_schema;
  INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('pets', 'pets', '10000000 1000000 1'),
    ('pets', 'pets_status', '10000000 1000000 300000 1 1 1 1 1'),
    ('pets', 'pets_category', '10000000 1000000 10000 3000 1'),
    ('pets', 'pets_status_name', '10000000 1000000 300000 10 1 1'),
    ('orders', 'orders', '10000000 1000000 1'),
    ('orders', 'orders_status', '10000000 1000000 200000 1'),
    ('orders', 'orders_placed', '10000000 1000000 200000 2 1'),
    ('orders', 'orders_pet', '10000000 1000000 10 1'),
    ('orders', 'orders_pet_status', '10000000 1000000 10 2 1'),
    ('events', 'events', '10000000 1000000 1'),
    ('events', 'events_pet', '10000000 1000000 10 5 1'),
    ('events', 'events_order', '1000000 100000 4 1'),
    ('events', 'events_actor', '10000000 1000000 100000 20000 1'),
    ('events', 'events_type', '10000000 1000000 100000 1'),
    ('event_counts', 'event_counts', '1000000 10000 5000 7 1'),
    ('webhooks', 'webhooks', '1000 10 1'),
    ('webhooks', 'webhooks_created', '1000 10 1 1'),
    ('deliveries', 'deliveries', '10000000 1000000 1'),
    ('deliveries', 'deliveries_due', '10000 10000 1000 1 1 1'),
    ('deliveries', 'deliveries_first', '10000 10000 1000 1 1 1'),
    ('deliveries', 'deliveries_log', '10000000 1000000 100000 10 1');
  ANALYZE sqlite_schema;
  `,
];

import { addDeliveries } from '../add-deliveries.sql.ts';
import { EVENT_COLUMNS, eventIndexes, IDEMPOTENCY_COLUMNS, SHARED_TABLES } from '../schema.ts';

/** Once a step is released, it must never change. `deployment.steps` is the number of steps applied to a database. */
export const MIGRATIONS: readonly string[] = [
  `
  -- The first schema.

  CREATE TABLE deployment (
    environment text NOT NULL,
    steps bigint NOT NULL,
    -- Identifies this first step, because development versions had different first steps.
    first_schema bigint NOT NULL,
    -- The schema version of the oldest program that can still use this database.
    readable_from bigint NOT NULL DEFAULT 1,
    leader text,
    leader_until bigint NOT NULL DEFAULT 0,
    -- Counts changes to keys. All instances poll this column and keys.changed.
    key_changes bigint NOT NULL DEFAULT 0,
    -- Until this time, no instance reads from a standby, because Redis may have missed some writes.
    standby_suspended_until bigint NOT NULL DEFAULT 0
  );

  CREATE SEQUENCE event_positions;
  ${SHARED_TABLES}
  -- The value of deployment.key_changes when this key last changed, or 0 if the key has never changed.
  ALTER TABLE keys ADD COLUMN changed bigint NOT NULL DEFAULT 0;
  CREATE INDEX keys_changed ON keys (changed);
  ALTER TABLE inventory SET (fillfactor = 50);
  CREATE INDEX pets_status ON pets (store_id, status, id);

  -- Hashes of a name's trigrams. Each store has different hashes, so that a search reads only entries of its own store.
  -- The high cost and the missing statistics make the planner always prefer the index pets_trigrams.
  CREATE FUNCTION name_trigrams(store_id bigint, name text) RETURNS bigint[] LANGUAGE plpgsql
    IMMUTABLE STRICT PARALLEL SAFE COST 10000 AS $$
    DECLARE
      hashes bigint[] := '{}';
    BEGIN
      FOR i IN 1..length(name) - 2 LOOP
        hashes := hashes || hashtextextended(substr(name, i, 3) COLLATE "C", store_id);
      END LOOP;
      RETURN hashes;
    END $$;
  CREATE INDEX pets_trigrams ON pets USING gin (name_trigrams(store_id, folded_name));
  ALTER INDEX pets_trigrams ALTER COLUMN 1 SET STATISTICS 0;

  -- Adds a new category's id to a run. If another transaction is changing an adjacent run, that run is skipped, and the
  -- next search for a free id merges the two runs.
  CREATE FUNCTION note_category() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      upper_end bigint;
    BEGIN
      -- The id of a deleted category stays in its run, so it is never assigned again.
      IF NEW.id <= (SELECT last FROM category_runs WHERE store_id = NEW.store_id AND first <= NEW.id
        ORDER BY first DESC LIMIT 1) THEN RETURN NULL; END IF;
      DELETE FROM category_runs WHERE store_id = NEW.store_id AND first =
        (SELECT first FROM category_runs WHERE store_id = NEW.store_id AND first = NEW.id + 1 FOR UPDATE SKIP LOCKED)
        RETURNING last INTO upper_end;
      upper_end := coalesce(upper_end, NEW.id);
      UPDATE category_runs SET last = upper_end WHERE store_id = NEW.store_id AND first =
        (SELECT first FROM category_runs WHERE store_id = NEW.store_id AND last = NEW.id - 1
          AND first = (SELECT max(first) FROM category_runs WHERE store_id = NEW.store_id AND first < NEW.id)
          FOR UPDATE SKIP LOCKED);
      IF NOT FOUND THEN
        INSERT INTO category_runs (store_id, first, last) VALUES (NEW.store_id, NEW.id, upper_end);
      END IF;
      RETURN NULL;
    END $$;
  CREATE TRIGGER categories_added AFTER INSERT ON categories FOR EACH ROW
    WHEN (NEW.id BETWEEN 1 AND 9223372036854775806) EXECUTE FUNCTION note_category();

  CREATE TABLE events (
    store_id bigint NOT NULL,
    id text COLLATE "C" NOT NULL,
    -- Sequences are ascending. An event's sequence is null until shortly after the event is committed.
    sequence bigint,
    position bigint NOT NULL DEFAULT nextval('event_positions'),
    ${EVENT_COLUMNS}
    PRIMARY KEY (store_id, id),
    UNIQUE (store_id, sequence)
  );
  CREATE INDEX events_unsequenced ON events (store_id, position) WHERE sequence IS NULL;
  ${eventIndexes('sequence IS NOT NULL')}
  CREATE TABLE idempotency (
    ${IDEMPOTENCY_COLUMNS},
    PRIMARY KEY (store_id, key_id, idempotency_key)
  );
  CREATE INDEX idempotency_kept_at ON idempotency (kept_at);

  -- Assigns sequences to committed events and adds the events' deliveries, changing about "most" rows in all. Returns
  -- the sum of two flags: 1 if some events may still have no sequence, and 2 if the store has pending deliveries. Locks
  -- the store's row first, so that the next statement sees every sequence assigned so far.
  CREATE FUNCTION number_events(of_store bigint, most bigint, at bigint) RETURNS bigint LANGUAGE plpgsql AS $$
    DECLARE
      head record;
      event_ids text[];
      last bigint;
      event record;
      kinds text[] := '{}';
      times bigint[] := '{}';
    BEGIN
      SELECT last_sequence, fanned_out, webhooks, due_at INTO head FROM stores WHERE id = of_store FOR NO KEY UPDATE;
      IF NOT FOUND THEN RAISE EXCEPTION 'store % is not open', of_store; END IF;
      -- Reads the clock after locking the row, so that a store's deliveries become due in the order of their events.
      at := coalesce(at, (extract(epoch FROM clock_timestamp()) * 1000)::bigint);
      most := greatest(1, most / greatest(1, head.webhooks));
      event_ids := ARRAY(
        SELECT id FROM events WHERE store_id = of_store AND sequence IS NULL ORDER BY position LIMIT most);
      last := greatest(head.last_sequence, (SELECT max(sequence) FROM events WHERE store_id = of_store));
      -- Updates the events one by one, because the cached plan of a join would scan the whole table after it has grown.
      FOR i IN 1..cardinality(event_ids) LOOP
        last := last + 1;
        UPDATE events SET sequence = last WHERE store_id = of_store AND id = event_ids[i]
          RETURNING type, occurred_at, data INTO event;
        kinds := kinds || event.type;
        times := times || event.occurred_at;
        IF event.type = 'pet.status_changed' AND event.data::json #>> '{object,status}' = 'sold' THEN
          kinds := kinds || 'sold'::text;
          times := times || event.occurred_at;
        END IF;
      END LOOP;
      IF cardinality(kinds) > 0 THEN
        INSERT INTO event_counts AS counts (store_id, period, start, kind, count)
          SELECT of_store, period, occurred_at - occurred_at % ms, kind, count(*)
          FROM unnest(kinds, times) AS counted (kind, occurred_at),
            (VALUES ('hour', 3600000), ('day', 86400000)) AS periods (period, ms)
          WHERE kind IS NOT NULL
          GROUP BY 2, 3, 4
          ON CONFLICT (store_id, period, start, kind) DO UPDATE SET count = counts.count + excluded.count;
      END IF;
      IF head.webhooks > 0 THEN
        ${addDeliveries({ storeId: 'of_store', after: 'head.fanned_out', upTo: 'last', now: 'at' }, "w.state = 'enabled'")};
        IF FOUND THEN head.due_at := least(head.due_at, at); END IF;
      END IF;
      UPDATE stores SET last_sequence = last, fanned_out = last, due_at = head.due_at
      WHERE id = of_store AND (last_sequence, fanned_out) <> (last, last);
      RETURN CASE WHEN cardinality(event_ids) = most THEN 1 ELSE 0 END + CASE WHEN head.due_at IS NULL THEN 0 ELSE 2 END;
    END $$;
  `,
];

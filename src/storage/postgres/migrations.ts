import { addDeliveries } from '../add-deliveries.sql.ts';

/**
 * The schema, as a list of steps. A released step never changes. `deployment.steps` counts the steps applied to a
 * database. Times are milliseconds since 1970. Every key of a catalogue table starts with the store, and no foreign key
 * points outside the store, so that stores can be distributed over several servers. Text that is a key or a sort key is
 * compared byte by byte, regardless of the server's locale.
 */
export const MIGRATIONS: readonly string[] = [
  `
  -- The first schema.

  CREATE TABLE deployment (
    environment text NOT NULL,
    steps bigint NOT NULL,
    -- The schema version of the oldest program that can still use this database.
    readable_from bigint NOT NULL DEFAULT 1,
    -- The instance that runs the jobs, and until when.
    leader text,
    leader_until bigint NOT NULL DEFAULT 0,
    -- Counts changes to keys. Other instances poll this column and \`keys.changed\`.
    key_changes bigint NOT NULL DEFAULT 0
  );

  CREATE SEQUENCE event_positions;

  -- The highest id handed out so far in each store, for each kind of id.
  CREATE TABLE ids (
    store_id bigint NOT NULL,
    kind text COLLATE "C" NOT NULL,
    highest bigint NOT NULL,
    PRIMARY KEY (store_id, kind)
  );

  CREATE TABLE stores (
    id bigint NOT NULL PRIMARY KEY,
    created_at bigint NOT NULL,
    last_sequence bigint NOT NULL,
    -- Every event up to this sequence has its deliveries, if the store has webhooks.
    fanned_out bigint NOT NULL DEFAULT 0,
    -- Webhooks that are not being removed.
    webhooks bigint NOT NULL DEFAULT 0,
    -- No delivery is due earlier. Null if none is pending.
    due_at bigint,
    -- During a reset: the time of its last progress, and the key and request that started the reset.
    reset_at bigint,
    reset_key_id text COLLATE "C",
    reset_request_id text COLLATE "C"
  );
  CREATE INDEX stores_due ON stores (due_at) WHERE due_at IS NOT NULL;
  CREATE INDEX stores_reset ON stores (reset_at) WHERE reset_at IS NOT NULL;

  CREATE TABLE keys (
    id text COLLATE "C" NOT NULL PRIMARY KEY,
    store_id bigint NOT NULL,
    name text NOT NULL,
    plan text NOT NULL,
    per_minute bigint,
    per_day bigint,
    pet_limit bigint,
    scopes text NOT NULL,
    prefix text NOT NULL,
    last4 text NOT NULL,
    is_admin bigint NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint,
    last_used_at bigint,
    revoked_at bigint,
    -- The count of changes to keys after this key last changed. It is 0 for new keys, which no cache has yet.
    changed bigint NOT NULL DEFAULT 0
  );
  CREATE UNIQUE INDEX keys_admin ON keys (is_admin) WHERE is_admin = 1;
  CREATE INDEX keys_issued ON keys (created_at, id);
  CREATE INDEX keys_changed ON keys (changed);

  -- A key may have several secrets: after a rotation, the old secret stays valid for a while.
  CREATE TABLE key_secrets (
    hash bytea NOT NULL PRIMARY KEY,
    key_id text COLLATE "C" NOT NULL REFERENCES keys (id),
    expires_at bigint
  );
  CREATE INDEX key_secrets_key ON key_secrets (key_id);

  CREATE TABLE windows (
    subject text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    used bigint NOT NULL,
    until bigint NOT NULL,
    PRIMARY KEY (subject, name)
  );
  CREATE INDEX windows_until ON windows (until);

  CREATE TABLE bans (
    subject text COLLATE "C" NOT NULL,
    banned_at bigint NOT NULL,
    until bigint NOT NULL,
    forgotten_at bigint NOT NULL,
    PRIMARY KEY (subject, banned_at)
  );
  CREATE INDEX bans_forgotten_at ON bans (forgotten_at);

  CREATE TABLE usage (
    key_id text COLLATE "C" NOT NULL,
    hour bigint NOT NULL,
    status bigint NOT NULL,
    count bigint NOT NULL,
    PRIMARY KEY (key_id, hour, status)
  );
  CREATE INDEX usage_hour ON usage (hour);

  CREATE TABLE deprecated_calls (
    operation text COLLATE "C" NOT NULL,
    key_id text COLLATE "C" NOT NULL,
    calls bigint NOT NULL,
    last_called_at bigint NOT NULL,
    PRIMARY KEY (operation, key_id)
  );

  CREATE TABLE categories (
    store_id bigint NOT NULL,
    id bigint NOT NULL,
    name text,
    PRIMARY KEY (store_id, id)
  );

  -- Category numbers in use, stored as runs without gaps. The lowest free number is found quickly, however many are in
  -- use. A trigger maintains the runs when a category is added. The trigger skips a neighbouring run that another
  -- transaction is changing. The two runs then stay separate until the next search for a free number.
  CREATE TABLE category_runs (
    store_id bigint NOT NULL,
    first bigint NOT NULL,
    last bigint NOT NULL,
    PRIMARY KEY (store_id, first)
  );
  CREATE FUNCTION note_category() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      upper_end bigint;
    BEGIN
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

  CREATE TABLE pets (
    store_id bigint NOT NULL,
    id bigint NOT NULL,
    name text NOT NULL,
    category_id bigint NOT NULL,
    status text COLLATE "C" NOT NULL,
    version bigint NOT NULL,
    held_by_order_id bigint,
    -- Lists by name are sorted by this column.
    folded_name text COLLATE "C" NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    PRIMARY KEY (store_id, id)
  );
  -- The index pets_category serves lists by category and status. Lists by category alone merge the three statuses.
  CREATE INDEX pets_status ON pets (store_id, status, id);
  CREATE INDEX pets_category ON pets (store_id, category_id, status, id);
  -- Lists by name without a status merge three sorted lists, one per status, from these indexes.
  CREATE INDEX pets_status_name ON pets (store_id, status, folded_name, id);
  CREATE INDEX pets_category_name ON pets (store_id, category_id, status, folded_name, id);

  CREATE TABLE inventory (
    store_id bigint NOT NULL,
    status text COLLATE "C" NOT NULL,
    slot bigint NOT NULL,
    count bigint NOT NULL,
    PRIMARY KEY (store_id, status, slot)
  ) WITH (fillfactor = 50);

  CREATE TABLE orders (
    store_id bigint NOT NULL,
    id bigint NOT NULL,
    pet_id bigint NOT NULL,
    status text COLLATE "C" NOT NULL,
    placed_by_key_id text NOT NULL,
    placed_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    expires_at bigint,
    PRIMARY KEY (store_id, id)
  );
  CREATE INDEX orders_status ON orders (store_id, status, id);
  CREATE INDEX orders_pet ON orders (store_id, pet_id, id);
  CREATE INDEX orders_pet_status ON orders (store_id, pet_id, status, id);
  -- For the job that releases pets when their orders expire, in all stores.
  CREATE INDEX orders_due ON orders (expires_at) WHERE expires_at IS NOT NULL;

  CREATE TABLE events (
    store_id bigint NOT NULL,
    id text COLLATE "C" NOT NULL,
    -- Ascending in commit order. Null until a sequence is assigned, after the commit.
    sequence bigint,
    position bigint NOT NULL DEFAULT nextval('event_positions'),
    type text COLLATE "C" NOT NULL,
    occurred_at bigint NOT NULL,
    data text NOT NULL,
    actor_key_id text,
    request_id text,
    traceparent text,
    address text,
    pet_id bigint,
    order_id bigint,
    PRIMARY KEY (store_id, id),
    UNIQUE (store_id, sequence)
  );
  CREATE INDEX events_unsequenced ON events (store_id, position) WHERE sequence IS NULL;

  CREATE INDEX events_type ON events (store_id, type, sequence);
  CREATE INDEX events_pet ON events (store_id, pet_id, sequence) WHERE pet_id IS NOT NULL;
  -- For the audit trail, which lists changes to keys and webhooks in all stores.
  CREATE INDEX events_audited ON events (occurred_at, store_id, sequence)
    WHERE type LIKE 'key.%' OR type LIKE 'webhook.%';

  CREATE TABLE idempotency (
    store_id bigint NOT NULL,
    key_id text COLLATE "C" NOT NULL,
    idempotency_key text COLLATE "C" NOT NULL,
    fingerprint bytea NOT NULL,
    body text,
    version bigint,
    location text,
    kept_at bigint NOT NULL,
    PRIMARY KEY (store_id, key_id, idempotency_key)
  );
  CREATE INDEX idempotency_kept_at ON idempotency (kept_at);

  CREATE TABLE webhooks (
    store_id bigint NOT NULL,
    id text COLLATE "C" NOT NULL,
    -- The webhook receives the events that this key may read.
    key_id text COLLATE "C" NOT NULL,
    -- 1 if only keys with the scope keys:write see the webhook.
    is_operators bigint NOT NULL,
    url text NOT NULL,
    events text NOT NULL,
    -- The state is enabled, disabling, disabled or removing.
    state text NOT NULL,
    disabled_reason text,
    created_at bigint NOT NULL,
    secret text NOT NULL,
    previous_secret text,
    previous_secret_ends_at bigint,
    -- Only events after this sequence get a delivery.
    after_sequence bigint NOT NULL,
    failing_since bigint,
    PRIMARY KEY (store_id, id)
  );
  CREATE INDEX webhooks_created ON webhooks (store_id, created_at, id);
  CREATE INDEX webhooks_key ON webhooks (key_id) WHERE state = 'enabled';
  CREATE INDEX webhooks_uncleared ON webhooks (store_id, id) WHERE state IN ('disabling', 'removing');

  CREATE TABLE deliveries (
    store_id bigint NOT NULL,
    id text COLLATE "C" NOT NULL,
    webhook_id text COLLATE "C" NOT NULL,
    sequence bigint NOT NULL,
    event_id text NOT NULL,
    pet_id bigint,
    attempt bigint NOT NULL,
    state text NOT NULL,
    response_status bigint,
    response_body text,
    duration_ms bigint,
    attempted_at bigint,
    next_attempt_at bigint,
    -- Until this time, only the instance that claimed the delivery may send it.
    claimed_until bigint,
    created_at bigint NOT NULL,
    PRIMARY KEY (store_id, id)
  );
  CREATE INDEX deliveries_due ON deliveries (store_id, webhook_id, next_attempt_at, sequence)
    WHERE next_attempt_at IS NOT NULL;
  -- Finds first attempts quickly, even if many retries are due.
  CREATE INDEX deliveries_first ON deliveries (store_id, webhook_id, next_attempt_at, sequence)
    WHERE next_attempt_at IS NOT NULL AND attempt = 0;
  CREATE INDEX deliveries_log ON deliveries (store_id, webhook_id, created_at, id);

  -- Assigns the next sequences to committed events of a store, in the order in which they were written, and adds their
  -- deliveries: about "most" rows in all. Returns 1 if more events may be waiting, otherwise 0. Locks the row of the store
  -- first, so that the next statement sees every sequence assigned so far.
  CREATE FUNCTION number_events(of_store bigint, most bigint, at bigint) RETURNS bigint LANGUAGE plpgsql AS $$
    DECLARE
      head record;
      event_ids text[];
      last bigint;
    BEGIN
      SELECT last_sequence, fanned_out, webhooks, due_at INTO head FROM stores WHERE id = of_store FOR NO KEY UPDATE;
      IF NOT FOUND THEN RAISE EXCEPTION 'store % is not open', of_store; END IF;
      -- Per store, deliveries become due in the order of their events, because the lock precedes the clock.
      at := coalesce(at, (extract(epoch FROM clock_timestamp()) * 1000)::bigint);
      most := greatest(1, most / greatest(1, head.webhooks));
      event_ids := ARRAY(
        SELECT id FROM events WHERE store_id = of_store AND sequence IS NULL ORDER BY position LIMIT most);
      last := greatest(head.last_sequence, (SELECT max(sequence) FROM events WHERE store_id = of_store));
      -- Updates the events one by one. A join would use a cached plan, which would later scan a large table.
      FOR i IN 1..cardinality(event_ids) LOOP
        last := last + 1;
        UPDATE events SET sequence = last WHERE store_id = of_store AND id = event_ids[i];
      END LOOP;
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

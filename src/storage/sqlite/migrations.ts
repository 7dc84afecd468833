/**
 * The schema, as a list of steps. A released step never changes. `PRAGMA user_version` is the number of steps applied
 * to a file. Times are milliseconds since 1970. Orders and events keep the ids of deleted pets, so they have no foreign
 * key to pets.
 */
export const MIGRATIONS: readonly string[] = [
  `
  -- The first schema.

  CREATE TABLE deployment (environment TEXT NOT NULL) STRICT;

  -- The highest id handed out so far in each store, for each kind of id.
  CREATE TABLE ids (
    store_id INTEGER NOT NULL,
    kind TEXT NOT NULL,
    highest INTEGER NOT NULL,
    PRIMARY KEY (store_id, kind)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE stores (
    id INTEGER NOT NULL PRIMARY KEY,
    created_at INTEGER NOT NULL,
    last_sequence INTEGER NOT NULL,
    -- Every event up to this sequence has its deliveries, if the store has webhooks.
    fanned_out INTEGER NOT NULL DEFAULT 0,
    -- Webhooks that are not being removed.
    webhooks INTEGER NOT NULL DEFAULT 0,
    -- No delivery is due earlier. Null if none is pending.
    due_at INTEGER,
    -- During a reset: the time of its last progress, and the key and request that started the reset.
    reset_at INTEGER,
    reset_key_id TEXT,
    reset_request_id TEXT
  ) STRICT;
  CREATE INDEX stores_due ON stores (due_at) WHERE due_at IS NOT NULL;
  CREATE INDEX stores_reset ON stores (reset_at) WHERE reset_at IS NOT NULL;

  CREATE TABLE keys (
    id TEXT NOT NULL PRIMARY KEY,
    store_id INTEGER NOT NULL,
    name TEXT NOT NULL,
    plan TEXT NOT NULL,
    per_minute INTEGER,
    per_day INTEGER,
    pet_limit INTEGER,
    scopes TEXT NOT NULL,
    prefix TEXT NOT NULL,
    last4 TEXT NOT NULL,
    is_admin INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    last_used_at INTEGER,
    revoked_at INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX keys_admin ON keys (is_admin) WHERE is_admin = 1;
  CREATE INDEX keys_issued ON keys (created_at, id);

  -- A key may have several secrets: after a rotation, the old secret stays valid for a while.
  CREATE TABLE key_secrets (
    hash BLOB NOT NULL PRIMARY KEY,
    key_id TEXT NOT NULL REFERENCES keys (id),
    expires_at INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX key_secrets_key ON key_secrets (key_id);

  CREATE TABLE windows (
    subject TEXT NOT NULL,
    name TEXT NOT NULL,
    used INTEGER NOT NULL,
    until INTEGER NOT NULL,
    PRIMARY KEY (subject, name)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX windows_until ON windows (until);

  CREATE TABLE bans (
    subject TEXT NOT NULL,
    banned_at INTEGER NOT NULL,
    until INTEGER NOT NULL,
    forgotten_at INTEGER NOT NULL,
    PRIMARY KEY (subject, banned_at)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX bans_forgotten_at ON bans (forgotten_at);

  CREATE TABLE usage (
    key_id TEXT NOT NULL,
    hour INTEGER NOT NULL,
    status INTEGER NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (key_id, hour, status)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX usage_hour ON usage (hour);

  CREATE TABLE deprecated_calls (
    operation TEXT NOT NULL,
    key_id TEXT NOT NULL,
    calls INTEGER NOT NULL,
    last_called_at INTEGER NOT NULL,
    PRIMARY KEY (operation, key_id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE categories (
    store_id INTEGER NOT NULL,
    id INTEGER NOT NULL,
    name TEXT,
    PRIMARY KEY (store_id, id)
  ) STRICT, WITHOUT ROWID;

  -- Category numbers in use, stored as runs without gaps. The lowest free number is found quickly, however many are in
  -- use. A trigger maintains the runs when a category is added. Runs leave out the highest 64-bit integer.
  CREATE TABLE category_runs (
    store_id INTEGER NOT NULL,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    PRIMARY KEY (store_id, first)
  ) STRICT, WITHOUT ROWID;
  CREATE TRIGGER categories_added AFTER INSERT ON categories WHEN NEW.id BETWEEN 1 AND 9223372036854775806 BEGIN
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

  CREATE TABLE pets (
    store_id INTEGER NOT NULL,
    id INTEGER NOT NULL,
    name TEXT NOT NULL,
    category_id INTEGER NOT NULL,
    status TEXT NOT NULL,
    version INTEGER NOT NULL,
    held_by_order_id INTEGER,
    -- Lists by name are sorted by this column.
    folded_name TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (store_id, id)
  ) STRICT, WITHOUT ROWID;
  -- Lists by status read only their index: looking up each pet would cost more than storing its columns twice. The
  -- index pets_category serves lists by category and status. Lists by category alone merge the three statuses.
  CREATE INDEX pets_status ON pets (store_id, status, id, name, category_id, version, held_by_order_id);
  CREATE INDEX pets_category ON pets (store_id, category_id, status, id);
  -- Lists by name without a status merge three sorted lists, one per status, from these indexes.
  CREATE INDEX pets_status_name ON pets (store_id, status, folded_name, id);
  CREATE INDEX pets_category_name ON pets (store_id, category_id, status, folded_name, id);

  CREATE TABLE inventory (
    store_id INTEGER NOT NULL,
    status TEXT NOT NULL,
    slot INTEGER NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (store_id, status, slot)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE orders (
    store_id INTEGER NOT NULL,
    id INTEGER NOT NULL,
    pet_id INTEGER NOT NULL,
    status TEXT NOT NULL,
    placed_by_key_id TEXT NOT NULL,
    placed_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    expires_at INTEGER,
    PRIMARY KEY (store_id, id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX orders_status ON orders (store_id, status, id);
  CREATE INDEX orders_pet ON orders (store_id, pet_id, id);
  CREATE INDEX orders_pet_status ON orders (store_id, pet_id, status, id);
  -- For the job that releases pets when their orders expire, in all stores.
  CREATE INDEX orders_due ON orders (expires_at) WHERE expires_at IS NOT NULL;

  CREATE TABLE events (
    store_id INTEGER NOT NULL,
    sequence INTEGER NOT NULL,
    id TEXT NOT NULL,
    type TEXT NOT NULL,
    occurred_at INTEGER NOT NULL,
    data TEXT NOT NULL,
    actor_key_id TEXT,
    request_id TEXT,
    traceparent TEXT,
    address TEXT,
    pet_id INTEGER,
    order_id INTEGER,
    PRIMARY KEY (store_id, sequence)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX events_type ON events (store_id, type, sequence);
  CREATE INDEX events_pet ON events (store_id, pet_id, sequence) WHERE pet_id IS NOT NULL;
  -- For the audit trail, which lists changes to keys and webhooks in all stores.
  CREATE INDEX events_audited ON events (occurred_at, store_id, sequence) WHERE type LIKE 'key.%' OR type LIKE 'webhook.%';

  -- Rows are stored in order of arrival. Callers choose random keys, so only the short index has random writes.
  CREATE TABLE idempotency (
    store_id INTEGER NOT NULL,
    key_id TEXT NOT NULL,
    idempotency_key TEXT NOT NULL,
    fingerprint BLOB NOT NULL,
    body TEXT,
    version INTEGER,
    location TEXT,
    kept_at INTEGER NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX idempotency_key ON idempotency (store_id, idempotency_key, key_id);
  CREATE INDEX idempotency_kept_at ON idempotency (kept_at);

  CREATE TABLE webhooks (
    store_id INTEGER NOT NULL,
    id TEXT NOT NULL,
    -- The webhook receives the events that this key may read.
    key_id TEXT NOT NULL,
    -- 1 if only keys with the scope keys:write see the webhook.
    is_operators INTEGER NOT NULL,
    url TEXT NOT NULL,
    events TEXT NOT NULL,
    -- The state is enabled, disabling, disabled or removing.
    state TEXT NOT NULL,
    disabled_reason TEXT,
    created_at INTEGER NOT NULL,
    secret TEXT NOT NULL,
    previous_secret TEXT,
    previous_secret_ends_at INTEGER,
    -- Only events after this sequence get a delivery.
    after_sequence INTEGER NOT NULL,
    failing_since INTEGER,
    PRIMARY KEY (store_id, id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX webhooks_created ON webhooks (store_id, created_at, id);
  CREATE INDEX webhooks_key ON webhooks (key_id) WHERE state = 'enabled';
  CREATE INDEX webhooks_uncleared ON webhooks (store_id, id) WHERE state IN ('disabling', 'removing');

  CREATE TABLE deliveries (
    store_id INTEGER NOT NULL,
    id TEXT NOT NULL,
    webhook_id TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    event_id TEXT NOT NULL,
    pet_id INTEGER,
    attempt INTEGER NOT NULL,
    state TEXT NOT NULL,
    response_status INTEGER,
    response_body TEXT,
    duration_ms INTEGER,
    attempted_at INTEGER,
    next_attempt_at INTEGER,
    -- Until this time, only the instance that claimed the delivery may send it.
    claimed_until INTEGER,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (store_id, id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX deliveries_due ON deliveries (store_id, webhook_id, next_attempt_at, sequence)
    WHERE next_attempt_at IS NOT NULL;
  -- Finds first attempts quickly, even if many retries are due.
  CREATE INDEX deliveries_first ON deliveries (store_id, webhook_id, next_attempt_at, sequence)
    WHERE next_attempt_at IS NOT NULL AND attempt = 0;
  CREATE INDEX deliveries_log ON deliveries (store_id, webhook_id, created_at, id);

  -- Statistics for the query planner. Without them, SQLite assumes ten rows per store and scans a whole store. For each
  -- index: the total rows, then how many rows share its first column, its first two columns, and so on.
  ANALYZE sqlite_schema;
  INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('pets', 'pets', '10000000 1000000 1'),
    ('pets', 'pets_status', '10000000 1000000 300000 1 1 1 1 1'),
    ('pets', 'pets_category', '10000000 1000000 10000 3000 1'),
    ('pets', 'pets_status_name', '10000000 1000000 300000 10 1'),
    ('pets', 'pets_category_name', '10000000 1000000 10000 3000 2 1'),
    ('orders', 'orders', '10000000 1000000 1'),
    ('orders', 'orders_status', '10000000 1000000 200000 1'),
    ('orders', 'orders_pet', '10000000 1000000 10 1'),
    ('orders', 'orders_pet_status', '10000000 1000000 10 2 1'),
    ('events', 'events', '10000000 1000000 1'),
    ('events', 'events_pet', '10000000 1000000 10 1'),
    ('events', 'events_type', '10000000 1000000 100000 1'),
    ('webhooks', 'webhooks', '1000 10 1'),
    ('webhooks', 'webhooks_created', '1000 10 1 1'),
    ('deliveries', 'deliveries', '10000000 1000000 1'),
    ('deliveries', 'deliveries_due', '10000 10000 1000 1 1 1'),
    ('deliveries', 'deliveries_first', '10000 10000 1000 1 1 1'),
    ('deliveries', 'deliveries_log', '10000000 1000000 100000 10 1');
  ANALYZE sqlite_schema;
  `,
];

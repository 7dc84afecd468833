/**
 * The tables that both engines have, in PostgreSQL's syntax. Times are in milliseconds since 1970. The primary keys of
 * catalogue tables start with the store's id, and no foreign key points to another store, so that stores can be
 * distributed across several servers. `COLLATE "C"` compares keys byte by byte, regardless of the server's locale.
 */
export const SHARED_TABLES = `
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
    -- All events up to this sequence already have their deliveries.
    fanned_out bigint NOT NULL DEFAULT 0,
    -- The number of webhooks, not counting those that are being removed.
    webhooks bigint NOT NULL DEFAULT 0,
    -- No delivery is due before this time. Null if no delivery is pending.
    due_at bigint,
    -- No event in the store is older than this time. 0 means that the time is unknown.
    oldest_event_at bigint NOT NULL DEFAULT 0,
    -- These columns are set only during a reset: when it last made progress, and which key and
    -- request started it.
    reset_at bigint,
    reset_key_id text COLLATE "C",
    reset_request_id text COLLATE "C"
  );
  CREATE INDEX stores_oldest_event ON stores (oldest_event_at);
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
    revoked_at bigint
  );
  CREATE UNIQUE INDEX keys_admin ON keys (is_admin) WHERE is_admin = 1;
  CREATE INDEX keys_issued ON keys (created_at, id);
  CREATE INDEX keys_ended ON keys (coalesce(revoked_at, expires_at));

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

  -- The used category ids, including the ids of deleted categories. They are stored as runs without gaps, so that the
  -- lowest unused id can be found quickly. Triggers update the runs.
  CREATE TABLE category_runs (
    store_id bigint NOT NULL,
    first bigint NOT NULL,
    last bigint NOT NULL,
    PRIMARY KEY (store_id, first)
  );

  CREATE TABLE pets (
    store_id bigint NOT NULL,
    id bigint NOT NULL,
    name text NOT NULL,
    category_id bigint NOT NULL,
    status text COLLATE "C" NOT NULL,
    version bigint NOT NULL,
    held_by_order_id bigint,
    folded_name text COLLATE "C" NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    PRIMARY KEY (store_id, id)
  );
  -- A query that filters only by category merges one scan of this index per status.
  CREATE INDEX pets_category ON pets (store_id, category_id, status, id);
  -- A query by name that does not filter by status merges one scan of this index per status. A query by name and
  -- category reads the names in all categories, up to a limit.
  CREATE INDEX pets_status_name ON pets (store_id, status, folded_name, id, category_id);

  CREATE TABLE inventory (
    store_id bigint NOT NULL,
    status text COLLATE "C" NOT NULL,
    slot bigint NOT NULL,
    count bigint NOT NULL,
    PRIMARY KEY (store_id, status, slot)
  );

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
  -- A query by time that does not filter by status merges one scan of this index per status.
  CREATE INDEX orders_placed ON orders (store_id, status, placed_at, id);
  CREATE INDEX orders_due ON orders (expires_at) WHERE expires_at IS NOT NULL;

  -- The number of events per hour and per day (UTC), by type. The kind "sold" counts the pets that became sold.
  CREATE TABLE event_counts (
    store_id bigint NOT NULL,
    period text COLLATE "C" NOT NULL,
    start bigint NOT NULL,
    kind text COLLATE "C" NOT NULL,
    count bigint NOT NULL,
    PRIMARY KEY (store_id, period, start, kind)
  );

  CREATE TABLE webhooks (
    store_id bigint NOT NULL,
    id text COLLATE "C" NOT NULL,
    -- The webhook receives the events that this key may read.
    key_id text COLLATE "C" NOT NULL,
    -- 1 if only keys with the scope keys:write can see the webhook.
    is_operators bigint NOT NULL,
    url text NOT NULL,
    events text NOT NULL,
    -- One of enabled, disabling, disabled and removing.
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
`;

export const EVENT_COLUMNS = `type text COLLATE "C" NOT NULL,
    occurred_at bigint NOT NULL,
    data text NOT NULL,
    actor_key_id text,
    request_id text,
    traceparent text,
    address text,
    pet_id bigint,
    order_id bigint,`;
export const IDEMPOTENCY_COLUMNS = `store_id bigint NOT NULL,
    key_id text COLLATE "C" NOT NULL,
    idempotency_key text COLLATE "C" NOT NULL,
    fingerprint bytea NOT NULL,
    body text,
    version bigint,
    location text,
    kept_at bigint NOT NULL`;

const where = (...terms: readonly string[]): string => (terms.length > 0 ? ` WHERE ${terms.join(' AND ')}` : '');

/**
 * On PostgreSQL, an event gets its sequence number after its commit. Without the condition `numbered`, each event
 * would be added to the indexes twice: first without its sequence number, and then with its sequence number.
 */
export const eventIndexes = (...numbered: readonly string[]): string => `
  CREATE INDEX events_type ON events (store_id, type, sequence)${where(...numbered)};
  CREATE INDEX events_pet ON events (store_id, pet_id, type, sequence)${where('pet_id IS NOT NULL', ...numbered)};
  CREATE INDEX events_order ON events (store_id, order_id, sequence)${where('order_id IS NOT NULL', ...numbered)};
  CREATE INDEX events_actor ON events (store_id, actor_key_id, type, sequence)${where('actor_key_id IS NOT NULL', ...numbered)};
  CREATE INDEX events_audited ON events (occurred_at, store_id, sequence)
    WHERE type LIKE 'key.%' OR type LIKE 'webhook.%';
`;

export const inSqlite = (tables: string): string =>
  tables
    .replaceAll(/ bigint\b/g, ' INTEGER')
    .replaceAll(/ text(?: COLLATE "C")?/g, ' TEXT')
    .replaceAll(/ bytea\b/g, ' BLOB')
    .replaceAll(/^ {2}\);$/gm, '  ) STRICT, WITHOUT ROWID;');

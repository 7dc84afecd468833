import { createHash } from 'node:crypto';
import { query } from '../../test/servers/databases.ts';

export type Size = { pets: number; stores: number };

/** The current time for all generated rows, in ms since 1970. */
export const NOW = 1_800_000_000_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

const LARGE_CATEGORIES = 1000;
const LARGE_WEBHOOKS = 20;

export type Store = { storeId: bigint; keyId: string; hash: Uint8Array; webhookId: string; deliveryId: string };

const storeOf = (id: number, webhook: number): Store => ({
  storeId: BigInt(id),
  keyId: `key_${id}`,
  hash: createHash('md5').update(`${id}`).digest(),
  webhookId: `wh_${id}_${webhook}`,
  deliveryId: `dlv_${id}_4`,
});

/**
 * Stores to measure: `large` has a tenth of all rows, and `middle` is one of the other stores, which are all the same
 * size.
 */
export const storesOf = ({ stores }: Size) => ({ middle: storeOf(stores / 2, 0), large: storeOf(1, 4) });

/**
 * Mixes the rows of all stores, as in real use. Each page therefore contains rows of many stores, and listing the rows
 * of one store reads many pages.
 */
const spread = (rows: number, stores: number): string => `(
  SELECT i, CASE WHEN i % 10 = 0 THEN 1 ELSE 2 + (i - i / 10 - 1) % (${stores} - 1) END AS store,
    CASE WHEN i % 10 = 0 THEN i / 10 ELSE 1 + (i - i / 10 - 1) / (${stores} - 1) END AS id
  FROM generate_series(1::bigint, ${rows}) i) s`;

const pick = (values: readonly string[]): string =>
  `(ARRAY[${values.map((value) => `'${value}'`).join(', ')}])[id % ${values.length} + 1]`;

const fillCatalogue = ({ pets, stores }: Size): string[] => [
  `INSERT INTO pets SELECT store, id, 'Pet ' || i, 1 + id / 4 % CASE WHEN store = 1 THEN ${LARGE_CATEGORIES} ELSE 6 END,
     ${pick(['available', 'available', 'pending', 'sold'])}, 1, NULL, 'pet ' || i * 7919 % 100000, ${NOW}, ${NOW}
   FROM ${spread(pets, stores)}`,
  `INSERT INTO categories SELECT store, id, 'Category'
   FROM generate_series(1, ${stores}) store, generate_series(1, CASE WHEN store = 1 THEN ${LARGE_CATEGORIES} ELSE 6 END) id`,
  `INSERT INTO category_runs SELECT store_id, 1, max(id) FROM categories GROUP BY store_id`,
  `INSERT INTO inventory SELECT store, status, slot, 10 FROM generate_series(1, ${stores}) store,
     unnest(ARRAY['available', 'pending', 'sold']) status,
     generate_series(0, CASE WHEN store = 1 THEN 63 ELSE 3 END) slot`,
  `INSERT INTO orders SELECT store, id, id * 5, ${pick(['placed', 'approved', 'delivered', 'cancelled'])}, 'key_' || store,
     ${NOW}, ${NOW}, CASE WHEN id % 4 = 0 THEN ${NOW} - 2000 + i END FROM ${spread(pets / 5, stores)}`,
  `INSERT INTO idempotency SELECT store, 'key_' || store, 'answer-' || id, '\\x00', repeat('x', 200), 1, '',
     ${NOW - DAY_MS} - 5000 + i FROM ${spread(pets / 10, stores)}`,
];

const fillEvents = ({ pets, stores }: Size): string[] => [
  `INSERT INTO events (store_id, id, sequence, type, occurred_at, data, pet_id, order_id, actor_key_id)
   SELECT store, 'evt_' || left(md5(i::text), 24), id, CASE WHEN id % 100 = 0 THEN 'key.updated' ELSE 'pet.created' END,
     ${NOW - 30 * DAY_MS} + i * ${30 * DAY_MS} / ${pets / 2}, '{"object":"' || repeat('x', 150) || '"}',
     1 + id % CASE WHEN store = 1 THEN 1000 ELSE 20 END, CASE WHEN id % 10 = 0 THEN id / 40 END, 'key_' || store
   FROM ${spread(pets / 2, stores)}`,
  // The large store has counts for all retained hours and days. Each of the other stores has counts for 20 hours and 20
  // days.
  `INSERT INTO event_counts SELECT store, period, ${NOW} - ${NOW % DAY_MS} - n * CASE period WHEN 'day' THEN ${DAY_MS} ELSE ${HOUR_MS} END, kind, 1
   FROM generate_series(1, ${stores}) store, unnest(ARRAY['hour', 'day']) period,
     generate_series(0::bigint, CASE WHEN store > 1 THEN 19 WHEN period = 'day' THEN 399 ELSE 9599 END) n,
     unnest(ARRAY['pet.created', 'pet.status_changed', 'order.placed', 'order.delivered', 'sold']) kind`,
];

const fillKeys = ({ stores }: Size): string[] => [
  `INSERT INTO keys (id, store_id, name, plan, scopes, prefix, last4, is_admin, created_at, expires_at)
   SELECT 'key_' || i, i, 'Key', 'free', 'pets:read events:read', 'pk', '0000', CASE WHEN i = 1 THEN 1 ELSE 0 END, ${NOW} - i,
     CASE WHEN i % 50 = 3 THEN ${NOW} - i::bigint * 60000 END
   FROM generate_series(1, ${stores}) i`,
  `INSERT INTO key_secrets SELECT decode(md5(i::text), 'hex'), 'key_' || i FROM generate_series(1, ${stores}) i`,
  // Most keys have usage in 20 hours of the last 30 days. Key 1 has usage in every hour.
  `INSERT INTO usage SELECT 'key_' || i, ${NOW} - ${NOW % HOUR_MS} - h * ${38 * HOUR_MS}, 200, 1
   FROM generate_series(0::bigint, 19) h, generate_series(2, ${stores}) i`,
  `INSERT INTO usage SELECT 'key_1', ${NOW} - ${NOW % HOUR_MS} - h * ${HOUR_MS}, status, 1
   FROM generate_series(0::bigint, 719) h, unnest(ARRAY[200, 404, 429]) status`,
  `INSERT INTO windows SELECT 'key_' || i, 'minute', 1, ${NOW} - 5000 + i FROM generate_series(1, ${stores}) i`,
  `INSERT INTO bans SELECT 'key_' || i, ${NOW} - i, ${NOW}, ${NOW + DAY_MS} FROM generate_series(1, ${stores}) i`,
  `INSERT INTO deprecated_calls SELECT 'listPets', 'key_' || i, 1, ${NOW} FROM generate_series(1, ${stores}) i`,
];

/**
 * Every fifth store has one webhook. The large store has several webhooks, and half of its deliveries go to one of
 * these webhooks.
 */
const fillDeliveries = ({ pets, stores }: Size): string[] => [
  `INSERT INTO stores (id, created_at, last_sequence, fanned_out, webhooks, due_at)
   SELECT i, 0, last, last, CASE WHEN i = 1 THEN ${LARGE_WEBHOOKS} WHEN i % 5 = 0 THEN 1 ELSE 0 END, CASE WHEN i = 1 THEN ${NOW} END
   FROM (SELECT i, CASE WHEN i = 1 THEN ${pets / 20} ELSE (${(pets / 20) * 9} + 1 - i) / (${stores} - 1) + 1 END AS last
     FROM generate_series(1, ${stores}) i) s`,
  `INSERT INTO webhooks (store_id, id, key_id, is_operators, url, events, state, created_at, secret, after_sequence)
   SELECT s.id, 'wh_' || s.id || '_' || n, 'key_' || s.id, 0, 'https://example.com', 'pet.created', 'enabled', ${NOW} - n, 'x',
     s.last_sequence
   FROM stores s, generate_series(0, CASE WHEN s.id = 1 THEN ${LARGE_WEBHOOKS - 1} ELSE 0 END) n
   WHERE s.id = 1 OR s.id % 5 = 0`,
  `INSERT INTO deliveries (store_id, id, webhook_id, sequence, event_id, attempt, state, next_attempt_at, created_at)
   SELECT store, 'dlv_' || store || '_' || id, 'wh_' || store || '_' || CASE WHEN store > 1 THEN 0 WHEN id % 2 = 0 THEN 4 ELSE id % ${LARGE_WEBHOOKS} END,
     id, 'evt_' || id, id / 8 % 2, CASE WHEN id % 8 = 4 THEN 'pending' ELSE 'delivered' END,
     CASE WHEN id % 8 = 4 THEN ${NOW} - id END, ${NOW - 30 * DAY_MS} + i * ${30 * DAY_MS} / ${pets / 10}
   FROM (SELECT i, id, CASE WHEN store = 1 THEN 1 ELSE 5 * (store - 1) END AS store
     FROM ${spread(pets / 10, stores / 5 + 1)}) d`,
];

type Definition = { on: string; name: string; kind: string; definition: string };

const DEFINITIONS = `
  SELECT c.conrelid::regclass::text AS on, c.conname AS name, c.contype::text AS kind, pg_get_constraintdef(c.oid) AS definition
  FROM pg_constraint c WHERE c.connamespace = 'public'::regnamespace AND c.contype IN ('p', 'u', 'f')
  UNION ALL
  SELECT i.indrelid::regclass::text, i.indexrelid::regclass::text, 'index', pg_get_indexdef(i.indexrelid)
  FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid
  WHERE t.relnamespace = 'public'::regnamespace AND NOT EXISTS (SELECT 1 FROM pg_constraint c WHERE c.conindid = i.indexrelid)`;

const dropped = ({ on, name, kind }: Definition): string =>
  kind === 'index' ? `DROP INDEX ${name}` : `ALTER TABLE ${on} DROP CONSTRAINT ${name}`;

const added = ({ on, name, kind, definition }: Definition): string =>
  kind === 'index' ? definition : `ALTER TABLE ${on} ADD CONSTRAINT ${name} ${definition}`;

/**
 * Fills a migrated database. For speed, it builds the indexes last, makes the tables unlogged and disables their
 * triggers. These changes do not affect query plans or buffer counts.
 */
export const fill = async (url: string, size: Size): Promise<void> => {
  const definitions: Definition[] = await query(url, DEFINITIONS);
  // Foreign keys depend on primary keys, so foreign keys are dropped first and added last.
  const [keys, others] = [
    definitions.filter(({ kind }) => kind === 'f'),
    definitions.filter(({ kind }) => kind !== 'f'),
  ];
  for (const definition of [...keys, ...others]) await query(url, dropped(definition));
  const tables: { name: string }[] = await query(
    url,
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'",
  );
  for (const { name } of tables) await query(url, `ALTER TABLE ${name} SET UNLOGGED, DISABLE TRIGGER USER`);
  const parts = [fillCatalogue, fillEvents, fillKeys, fillDeliveries].flatMap((part) => part(size));
  for (const statement of parts) await query(url, statement);
  for (const definition of [...others, ...keys]) await query(url, added(definition));
  for (const { name } of tables) await query(url, `ALTER TABLE ${name} ENABLE TRIGGER USER`);
  await query(url, 'ANALYZE');
};

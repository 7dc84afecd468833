import type { Scope } from '../kernel/contract.ts';
import { type EventRow, eventColumns, toStoredEvent } from '../resources/events/event.row.ts';
import type { DeliveryQueue, DueDelivery, DueEndpoint } from '../resources/webhooks/webhooks.repository.ts';
import { liveKey } from '../storage/add-deliveries.sql.ts';
import type { Sql } from '../storage/sql.ts';
import { unclaimed } from './due.sql.ts';

/** The scopes are never cached, because outdated scopes must not decide which events a webhook receives. */
const KEY_SCOPES = `CASE WHEN ${liveKey('$3')} THEN k.scopes END AS key_scopes`;

type EndpointRow = Omit<DueEndpoint, 'secrets'> & { secret: string; previousSecret: string | null };

type DueRow = EventRow & {
  delivery_id: string;
  attempt: bigint;
  next_attempt_at: bigint;
  pet_id: bigint | null;
  is_claimed: bigint;
  key_scopes: string | null;
};

const toDueDelivery = (row: DueRow): DueDelivery => ({
  id: row.delivery_id,
  attempt: Number(row.attempt),
  dueAt: Number(row.next_attempt_at),
  petId: row.pet_id,
  isClaimed: Number(row.is_claimed) === 1,
  event: toStoredEvent(row),
  scopes: row.key_scopes?.split(' ') as Scope[] | undefined,
});

const readStores = async (sql: Sql, query: string, values: readonly (number | bigint)[]) =>
  (await sql.all<{ id: bigint }>(query, values)).map(({ id }) => id);

export const sqlDeliveryQueue = (sql: Sql): DeliveryQueue => ({
  isShared: !sql.isSoleWriter,

  async lagging(storeId) {
    await sql.writeCounters();
    return readStores(
      sql,
      `SELECT id FROM stores WHERE webhooks > 0 AND fanned_out < last_sequence ${storeId === undefined ? '' : 'AND id = $1'}`,
      storeId === undefined ? [] : [storeId],
    );
  },

  keyless: async ({ from, to }, most, keyId) =>
    sql.all(
      `WITH ended AS MATERIALIZED (SELECT id FROM keys
         WHERE coalesce(revoked_at, expires_at) BETWEEN $1 AND $2 ${keyId === undefined ? '' : 'AND id = $4'})
       SELECT w.store_id AS "storeId", w.id AS "webhookId" FROM ended CROSS JOIN webhooks w
       WHERE w.state = 'enabled' AND w.key_id = ended.id LIMIT $3`,
      keyId === undefined ? [from, to, most] : [from, to, most, keyId],
    ),

  uncleared: async (most) =>
    sql.all(
      `SELECT store_id AS "storeId", id AS "webhookId" FROM webhooks WHERE state IN ('disabling', 'removing') LIMIT $1`,
      [most],
    ),

  dueStores: (now) => readStores(sql, 'SELECT id FROM stores WHERE due_at <= $1', [now]),

  farAhead: (latest) =>
    readStores(
      sql,
      `SELECT s.id FROM stores s WHERE s.due_at IS NOT NULL AND EXISTS (
         SELECT 1 FROM webhooks w JOIN deliveries d ON d.store_id = w.store_id AND d.webhook_id = w.id
         WHERE w.store_id = s.id AND d.next_attempt_at > $1)`,
      [latest],
    ),

  async endpoints(now, storeId) {
    const rows = await sql.all<EndpointRow>(
      `SELECT w.store_id AS "storeId", w.id AS "webhookId", w.url, w.secret,
         CASE WHEN w.previous_secret_ends_at > $1 THEN w.previous_secret END AS "previousSecret"
       FROM stores s JOIN webhooks w ON w.store_id = s.id
       WHERE s.due_at <= $1 AND w.state = 'enabled' AND EXISTS (
         SELECT 1 FROM deliveries d
         WHERE d.store_id = w.store_id AND d.webhook_id = w.id AND d.next_attempt_at <= $1)
         ${storeId === undefined ? '' : 'AND s.id = $2'}`,
      storeId === undefined ? [now] : [now, storeId],
    );
    return rows.map(({ secret, previousSecret, ...endpoint }) => ({
      ...endpoint,
      secrets: previousSecret === null ? [secret] : [secret, previousSecret],
    }));
  },

  async oldestDue(now) {
    const row = await sql.one<{ since: bigint | null }>(
      `SELECT MIN((SELECT d.next_attempt_at FROM deliveries d
         WHERE d.store_id = w.store_id AND d.webhook_id = w.id AND d.next_attempt_at <= $1
         ORDER BY d.next_attempt_at LIMIT 1)) AS since
       FROM stores s JOIN webhooks w ON w.store_id = s.id WHERE s.due_at <= $1 AND w.state = 'enabled'`,
      [now],
    );
    return row?.since == null ? undefined : Number(row.since);
  },

  async deliveries({ storeId, webhookId }, now, most, which) {
    const rows = await sql.all<DueRow>(
      `SELECT d.id AS delivery_id, d.attempt, d.next_attempt_at, d.pet_id,
         CASE WHEN ${unclaimed('$3')} THEN 0 ELSE 1 END AS is_claimed, ${eventColumns('e')}, ${KEY_SCOPES}
       FROM deliveries d JOIN events e ON e.store_id = d.store_id AND e.sequence = d.sequence
       JOIN webhooks w ON w.store_id = d.store_id AND w.id = d.webhook_id LEFT JOIN keys k ON k.id = w.key_id
       WHERE d.store_id = $1 AND d.webhook_id = $2 AND d.next_attempt_at <= $3 ${which ? 'AND d.attempt = 0' : ''}
         AND w.state = 'enabled'
       ORDER BY d.next_attempt_at, d.sequence LIMIT $4`,
      [storeId, webhookId, now, most],
    );
    return rows.map(toDueDelivery);
  },
});

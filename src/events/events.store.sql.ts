import type { Sql } from '../database/sql.ts';
import type { Clock } from '../kernel/clock.ts';
import type { EventLog } from '../kernel/event.ts';
import type { Call } from '../kernel/operation.ts';
import type { RandomText } from '../kernel/random-id.ts';
import type { StoredEvent } from './event.ts';
import type { EventReads } from './events.store.ts';

type EventRow = {
  store_id: bigint;
  sequence: bigint;
  id: string;
  type: string;
  occurred_at: bigint;
  data: string;
  actor_key_id: string | null;
  request_id: string | null;
  address: string | null;
  order_id: bigint | null;
};

const COLUMNS = 'store_id, sequence, id, type, occurred_at, data, actor_key_id, request_id, address, order_id';

const fromRow = (row: EventRow): StoredEvent => ({
  storeId: row.store_id,
  sequence: row.sequence,
  id: row.id,
  type: row.type,
  occurredAt: Number(row.occurred_at),
  data: row.data,
  actorKeyId: row.actor_key_id,
  requestId: row.request_id,
  address: row.address,
  orderId: row.order_id,
});

/** Changes for which the operator may ask from where they came. Nobody else's address is kept. */
const AUDITED = /^(key|webhook)\./;

/**
 * Events of the call's store. The sequence is counted in the store's own row, without gaps; transactions of one store
 * follow one another on SQLite, so that no reader ever finds a lower number later.
 */
export const eventsOnSql = (sql: Sql, call: Call, now: Clock, randomText: RandomText): EventLog & EventReads => ({
  async append({ type, object, previous, petId, orderId, storeId = call.storeId }) {
    const counted = await sql.one<{ last_sequence: bigint }>(
      'UPDATE stores SET last_sequence = last_sequence + 1 WHERE id = $1 RETURNING last_sequence',
      [storeId],
    );
    if (!counted) throw new Error(`store ${storeId} is not open`);
    await sql.run(`INSERT INTO events (${COLUMNS}, pet_id) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`, [
      storeId,
      counted.last_sequence,
      `evt_${randomText(24)}`,
      type,
      now(),
      JSON.stringify({ object, previous }),
      call.keyId,
      call.requestId,
      AUDITED.test(type) ? call.address : null,
      orderId ?? null,
      petId ?? null,
    ]);
  },

  async listAudited({ limit, order, after }) {
    const behind = after ? `AND (occurred_at, store_id, sequence) ${order === 'asc' ? '>' : '<'} ($2, $3, $4)` : '';
    const rows = await sql.all<EventRow>(
      `SELECT ${COLUMNS} FROM events
       WHERE (type LIKE 'key.%' OR type LIKE 'webhook.%') ${behind}
       ORDER BY occurred_at ${order}, store_id ${order}, sequence ${order} LIMIT $1`,
      after ? [limit, after.occurredAt, after.storeId, after.sequence] : [limit],
    );
    return rows.map(fromRow);
  },

  async listOfPet(petId, { limit, order, after }) {
    const behind = after === undefined ? '' : `AND sequence ${order === 'asc' ? '>' : '<'} $4`;
    const rows = await sql.all<EventRow>(
      `SELECT ${COLUMNS} FROM events WHERE store_id = $1 AND pet_id = $2 ${behind} ORDER BY sequence ${order} LIMIT $3`,
      after === undefined ? [call.storeId, petId, limit] : [call.storeId, petId, limit, after],
    );
    return rows.map(fromRow);
  },
});

import type { Sql, SqlValue } from '../database/sql.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Change, EventLog } from '../kernel/event.ts';
import { chain, type MaybePromise } from '../kernel/maybe-promise.ts';
import type { Call } from '../kernel/operation.ts';
import type { RandomText } from '../kernel/random-id.ts';
import { EVENT_COLUMNS, type EventRow, toStoredEvent } from './event.row.ts';
import type { EventRepository, OldEvents } from './events.repository.ts';
import type { Sequencer } from './sequencer.ts';

/** Told to those who may change keys. The same words as in the index of the audit trail, which serves them. */
const OPERATORS = "type LIKE 'key.%' OR type LIKE 'webhook.%'";

/** Changes for which the operator may ask from where they came. Nobody else's address is kept. */
const AUDITED = /^(key|webhook)\./;

const INSERT = `INSERT INTO events (${EVENT_COLUMNS}, pet_id) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`;

type Deps = { now: Clock; randomText: RandomText; sequencer: Sequencer };

/** Events of the call's store. Readers see those that have their number. */
export const sqlEvents = (sql: Sql, call: Call, { now, randomText, sequencer }: Deps): EventLog & EventRepository => {
  const insert = (change: Change, storeId: bigint, sequence: bigint | null): MaybePromise<string> => {
    const { type, object, previous, petId, orderId } = change;
    const id = `evt_${randomText(24)}`;
    const inserted = sql.run(INSERT, [
      storeId,
      sequence,
      id,
      type,
      now(),
      JSON.stringify({ object, previous }),
      call.keyId,
      call.requestId,
      AUDITED.test(type) ? call.address : null,
      orderId ?? null,
      petId ?? null,
    ]);
    return chain(inserted, () => id);
  };

  return {
    append(change) {
      const { storeId = call.storeId } = change;
      sql.afterCommit(() => sequencer.committed(storeId));
      return chain(sequencer.next(storeId, 1), (sequence) => insert(change, storeId, sequence));
    },

    async appendMany(changes) {
      if (changes.length === 0) return;
      const first = await sequencer.next(call.storeId, changes.length);
      for (const [index, change] of changes.entries()) {
        const inserted = insert(change, call.storeId, first === null ? null : first + BigInt(index));
        if (inserted instanceof Promise) await inserted;
      }
      sql.afterCommit(() => sequencer.committed(call.storeId));
    },

    async list({ type, withOperators }, { limit, order, after }) {
      await sequencer.assignPending(call.storeId);
      const values: SqlValue[] = [];
      const value = (given: SqlValue) => `$${values.push(given)}`;
      const terms = [`store_id = ${value(call.storeId)}`, 'sequence IS NOT NULL'];
      if (type !== undefined) terms.push(`type = ${value(type)}`);
      if (!withOperators) terms.push(`NOT (${OPERATORS})`);
      if (after !== undefined) terms.push(`sequence ${order === 'asc' ? '>' : '<'} ${value(after)}`);
      const rows = await sql.all<EventRow>(
        `SELECT ${EVENT_COLUMNS} FROM events WHERE ${terms.join(' AND ')} ORDER BY sequence ${order} LIMIT ${value(limit)}`,
        values,
      );
      return rows.map(toStoredEvent);
    },

    async range() {
      await sequencer.assignPending(call.storeId);
      await sql.writeCounters();
      const row = await sql.one<{ first: bigint | null; last: bigint }>(
        `SELECT last_sequence AS last,
           (SELECT sequence FROM events WHERE store_id = $1 ORDER BY sequence LIMIT 1) AS first
         FROM stores WHERE id = $1`,
        [call.storeId],
      );
      const last = row?.last ?? 0n;
      return { first: row?.first ?? last + 1n, last };
    },

    async listAudited({ limit, order, after }) {
      await sequencer.assignPending();
      const behind = after ? `AND (occurred_at, store_id, sequence) ${order === 'asc' ? '>' : '<'} ($2, $3, $4)` : '';
      const rows = await sql.all<EventRow>(
        `SELECT ${EVENT_COLUMNS} FROM events
         WHERE (${OPERATORS}) AND sequence IS NOT NULL ${behind}
         ORDER BY occurred_at ${order}, store_id ${order}, sequence ${order} LIMIT $1`,
        after ? [limit, after.occurredAt, after.storeId, after.sequence] : [limit],
      );
      return rows.map(toStoredEvent);
    },

    async listOfPet(petId, { limit, order, after }) {
      await sequencer.assignPending(call.storeId);
      const behind = after === undefined ? '' : `AND sequence ${order === 'asc' ? '>' : '<'} $4`;
      const rows = await sql.all<EventRow>(
        `SELECT ${EVENT_COLUMNS} FROM events WHERE store_id = $1 AND pet_id = $2 AND sequence IS NOT NULL ${behind} ORDER BY sequence ${order} LIMIT $3`,
        after === undefined ? [call.storeId, petId, limit] : [call.storeId, petId, limit, after],
      );
      return rows.map(toStoredEvent);
    },

    async forget(before, most) {
      const removed = await sql.all(
        `DELETE FROM events WHERE store_id = $1 AND occurred_at < $2 AND sequence IN
           (SELECT sequence FROM events WHERE store_id = $1 ORDER BY sequence LIMIT $3)
         RETURNING sequence`,
        [call.storeId, before, most],
      );
      return removed.length;
    },
  };
};

export const sqlOldEvents = (sql: Sql): OldEvents => ({
  async stores(before, most) {
    const rows = await sql.all<{ id: bigint }>(
      `SELECT s.id FROM stores s JOIN events e ON e.store_id = s.id
         AND e.sequence = (SELECT o.sequence FROM events o WHERE o.store_id = s.id ORDER BY o.sequence LIMIT 1)
       WHERE e.occurred_at < $1 LIMIT $2`,
      [before, most],
    );
    return rows.map(({ id }) => id);
  },
});

import type { Database } from 'bun:sqlite';
import { EVENT_TYPES } from '../../src/kernel/event.ts';
import type { DeliveryRow } from './attempt-checks.ts';
import { ENDPOINTS } from './receivers.ts';

export const fillStore = (file: Database): void => {
  file.run(`INSERT INTO stores (id, created_at, last_sequence, webhooks) VALUES (1, 0, 0, ${ENDPOINTS.length})`);
  file.run(
    `INSERT INTO keys (id, store_id, name, plan, scopes, prefix, last4, is_admin, created_at)
     VALUES ('key_1', 1, 'one', 'pro', 'pets:read keys:write', 'ps_live_', '0000', 0, 0)`,
  );
  for (const { webhookId, url } of ENDPOINTS) {
    file.run(
      `INSERT INTO webhooks (store_id, id, key_id, is_operators, url, events, state, created_at, secret, after_sequence)
       VALUES (1, ?, 'key_1', 0, ?, ?, 'enabled', 0, ?, 0)`,
      [webhookId, url, EVENT_TYPES.join(' '), `whsec_${Buffer.alloc(32).toString('base64')}`],
    );
  }
};

type EventRow = { sequence: number | bigint | null; id: string; type: string; data: string };

type StoredRow = { [Field in keyof DeliveryRow]: Exclude<DeliveryRow[Field], boolean> | bigint };

/** `claimedInTime` is an SQL condition. The default is `FALSE`, because on SQLite, deliveries are never claimed. */
export const lookAt = (file: Database, claimedInTime = 'FALSE') => {
  const all = <Row>(text: string, ...values: string[]): Row[] => file.query(text).all(...values) as Row[];
  return {
    deliveryOf(webhookId: string, eventId: string): DeliveryRow | undefined {
      const [row] = all<StoredRow>(
        `SELECT d.state, d.attempt, d.next_attempt_at, d.attempted_at, w.state AS webhook_state,
           coalesce(${claimedInTime}, FALSE) AS was_claimed_in_time
         FROM deliveries d JOIN webhooks w ON w.store_id = d.store_id AND w.id = d.webhook_id
         WHERE d.store_id = 1 AND d.webhook_id = ? AND d.event_id = ?`,
        webhookId,
        eventId,
      );
      if (!row) return undefined;
      const [attempt, was_claimed_in_time] = [Number(row.attempt), Number(row.was_claimed_in_time) === 1];
      return { ...row, attempt, was_claimed_in_time } as DeliveryRow;
    },
    nextDue(): number | undefined {
      const [row] = all<{ due: number | bigint | null; lagging: number | bigint; left: number | bigint }>(
        `SELECT (SELECT min(next_attempt_at) FROM deliveries) AS due,
           (SELECT count(*) FROM webhooks WHERE state NOT IN ('enabled', 'disabled')) AS left,
           (SELECT count(*) FROM stores WHERE fanned_out < last_sequence) AS lagging`,
      );
      if (Number(row?.lagging) + Number(row?.left) > 0) return 0;
      return row?.due == null ? undefined : Number(row.due);
    },
    unnumbered: (): number => all('SELECT id FROM events WHERE sequence IS NULL').length,
    events: () =>
      all<EventRow>('SELECT sequence, id, type, data FROM events WHERE store_id = 1 ORDER BY sequence').map(
        ({ sequence, data, ...row }) => {
          const { object } = JSON.parse(data);
          return { ...row, sequence: BigInt(sequence ?? 0), name: String(object.name), objectId: String(object.id) };
        },
      ),
    webhookStates: () =>
      new Map(all<{ id: string; state: string }>('SELECT id, state FROM webhooks').map(({ id, state }) => [id, state])),
    pets: () => {
      const [row] = all<{ rows: number; counted: number }>(
        'SELECT (SELECT count(*) FROM pets) AS rows, (SELECT coalesce(sum(count), 0) FROM inventory) AS counted',
      );
      return { rows: Number(row?.rows), counted: Number(row?.counted) };
    },
  };
};

export type Look = ReturnType<typeof lookAt>;

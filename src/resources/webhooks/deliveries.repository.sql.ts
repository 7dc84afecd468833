import { sqlMakeDue } from '../../delivery/due.sql.ts';
import { numberOrNull, type RowOf } from '../../kernel/row.ts';
import type { Clock } from '../../kernel/runtime.ts';
import { deliveryId } from '../../storage/add-deliveries.sql.ts';
import { pageOf } from '../../storage/page.sql.ts';
import type { Sql } from '../../storage/sql.ts';
import type { Sequencer } from '../../streaming/sequencer.ts';
import type { Delivery } from './delivery.ts';
import type { WebhookRepository } from './webhooks.repository.ts';

type DeliveryRow = RowOf<Delivery>;

const DELIVERY =
  'id, event_id, sequence, attempt, state, response_status, response_body, duration_ms, attempted_at, next_attempt_at, created_at';

const toDelivery = (row: DeliveryRow): Delivery => ({
  id: row.id,
  eventId: row.event_id,
  sequence: row.sequence,
  attempt: Number(row.attempt),
  state: row.state,
  responseStatus: numberOrNull(row.response_status),
  responseBody: row.response_body,
  durationMs: numberOrNull(row.duration_ms),
  attemptedAt: numberOrNull(row.attempted_at),
  nextAttemptAt: numberOrNull(row.next_attempt_at),
  createdAt: Number(row.created_at),
});

export type Deps = { now: Clock; sequencer: Sequencer };

export const sqlDeliveries = (sql: Sql, storeId: bigint, { now, sequencer }: Deps) => {
  const makeDue = sqlMakeDue(sql, storeId, now);

  const findDelivery = async (webhookId: string, id: string): Promise<Delivery | undefined> => {
    const row = await sql.one<DeliveryRow>(
      `SELECT ${DELIVERY} FROM deliveries WHERE store_id = $1 AND id = $2 AND webhook_id || '' = $3`,
      [storeId, id, webhookId],
    );
    return row && toDelivery(row);
  };

  return {
    findDelivery,

    async listDeliveries(webhookId, page) {
      const by = { created_at: page.after?.createdAt, id: page.after?.id };
      const { where, end, values } = pageOf({ equal: { store_id: storeId, webhook_id: webhookId }, by }, page);
      return (await sql.all<DeliveryRow>(`SELECT ${DELIVERY} FROM deliveries ${where} ${end}`, values)).map(toDelivery);
    },

    async sendTest(webhookId, eventId) {
      await sequencer.assignPending(storeId);
      const row = await sql.one<DeliveryRow>(
        `INSERT INTO deliveries
           (store_id, id, webhook_id, sequence, event_id, attempt, state, next_attempt_at, created_at)
         SELECT store_id, ${deliveryId('id', '$3')}, $3, sequence, id, 0, 'pending', $4, $4 FROM events
         WHERE store_id = $1 AND type = 'webhook.test' AND id = $2 ORDER BY sequence DESC LIMIT 1
         RETURNING ${DELIVERY}`,
        [storeId, eventId, webhookId, now()],
      );
      if (!row) throw new Error(`event ${eventId} disappeared within its transaction`);
      await makeDue();
      return toDelivery(row);
    },

    async redeliver(webhookId, { id }) {
      const row = await sql.one<DeliveryRow>(
        `UPDATE deliveries SET state = 'pending', attempt = 0, claimed_until = NULL,
           next_attempt_at = CASE WHEN next_attempt_at <= $4 THEN next_attempt_at - 1 ELSE $4 END
         WHERE store_id = $1 AND id = $2 AND webhook_id || '' = $3 RETURNING ${DELIVERY}`,
        [storeId, id, webhookId, now()],
      );
      if (!row) throw new Error(`delivery ${id} disappeared within its transaction`);
      await makeDue();
      return toDelivery(row);
    },

    async forgetDeliveries(before, most) {
      const removed = await sql.all(
        `DELETE FROM deliveries WHERE store_id = $1 AND id IN (
           SELECT d.id FROM webhooks w JOIN deliveries d ON d.store_id = w.store_id AND d.webhook_id = w.id
           WHERE w.store_id = $1 AND d.created_at < $2 LIMIT $3)
         RETURNING id`,
        [storeId, before, most],
      );
      return removed.length;
    },
  } satisfies Partial<WebhookRepository>;
};

type AttemptPart = Pick<WebhookRepository, 'recordAttempt' | 'giveUp' | 'noteHealth'>;

export const sqlAttempts = (sql: Sql, storeId: bigint, now: Clock): AttemptPart => ({
  async recordAttempt({ id, attempt, dueAt }, { responseStatus, responseBody, durationMs }, { state, attemptAt }) {
    // PostgreSQL cannot store the character U+0000 in text.
    const body = responseBody?.replaceAll('\0', '\uFFFD') ?? null;
    await sql.run(
      `UPDATE deliveries SET attempt = attempt + 1, response_status = $5, response_body = $6,
           duration_ms = $7, attempted_at = $8, claimed_until = NULL,
           state = CASE WHEN next_attempt_at IS NULL AND $4 = 'pending' THEN 'failed' ELSE $4 END,
           next_attempt_at = CASE WHEN next_attempt_at IS NULL THEN next_attempt_at ELSE $9 END
         WHERE store_id = $1 AND id = $2 AND attempt = $3 AND (next_attempt_at + 0 = $10 OR next_attempt_at IS NULL)`,
      [storeId, id, attempt, state, responseStatus, body, durationMs, now(), attemptAt, dueAt],
    );
  },

  async giveUp({ id, attempt, dueAt }, reason) {
    await sql.run(
      `UPDATE deliveries SET state = 'failed', next_attempt_at = NULL, response_status = NULL, response_body = $5
       WHERE store_id = $1 AND id = $2 AND attempt = $3 AND next_attempt_at + 0 = $4`,
      [storeId, id, attempt, dueAt, reason],
    );
  },

  async noteHealth(webhookId, isWorking) {
    const row = await sql.one<{ failing_since: bigint | null }>(
      `UPDATE webhooks SET failing_since = CASE WHEN $3 = 1 THEN NULL ELSE coalesce(failing_since, $4) END
         WHERE store_id = $1 AND id = $2 RETURNING failing_since`,
      [storeId, webhookId, isWorking ? 1 : 0, now()],
    );
    return row?.failing_since == null ? null : Number(row.failing_since);
  },
});

import type { Clock } from '../../kernel/clock.ts';
import type { RandomText } from '../../kernel/ids.ts';
import { numberOrNull, type RowOf } from '../../kernel/row.ts';
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

type Part = Pick<WebhookRepository, 'findDelivery' | 'listDeliveries' | 'sendTest' | 'redeliver' | 'forgetDeliveries'>;
type Deps = { now: Clock; randomText: RandomText; sequencer: Sequencer };

export const sqlAddDelivery =
  (sql: Sql, storeId: bigint, { now, randomText }: Pick<Deps, 'now' | 'randomText'>) =>
  async (webhookId: string, event: { id: string; sequence: bigint; petId: bigint | null }): Promise<string> => {
    const id = `dlv_${randomText(24)}`;
    await sql.run(
      `INSERT INTO deliveries (store_id, id, webhook_id, sequence, event_id, pet_id, attempt, state, next_attempt_at, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, 0, 'pending', $7, $7)`,
      [storeId, id, webhookId, event.sequence, event.id, event.petId, now()],
    );
    return id;
  };

export const sqlDeliveries = (sql: Sql, storeId: bigint, deps: Deps): Part => {
  const { now, sequencer } = deps;
  const addDelivery = sqlAddDelivery(sql, storeId, deps);

  const findDelivery = async (webhookId: string, id: string): Promise<Delivery | undefined> => {
    const row = await sql.one<DeliveryRow>(
      `SELECT ${DELIVERY} FROM deliveries WHERE store_id = $1 AND id = $2 AND webhook_id = $3`,
      [storeId, id, webhookId],
    );
    return row && toDelivery(row);
  };

  const mustFind = async (webhookId: string, id: string): Promise<Delivery> => {
    const delivery = await findDelivery(webhookId, id);
    if (!delivery) throw new Error(`delivery ${id} disappeared within its transaction`);
    return delivery;
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
      const event = await sql.one<{ id: string; sequence: bigint }>(
        `SELECT id, sequence FROM events WHERE store_id = $1 AND type = 'webhook.test' AND id = $2
         ORDER BY sequence DESC LIMIT 1`,
        [storeId, eventId],
      );
      if (!event) throw new Error(`event ${eventId} disappeared within its transaction`);
      return mustFind(webhookId, await addDelivery(webhookId, { ...event, petId: null }));
    },

    async redeliver(webhookId, { id }) {
      await sql.run(
        `UPDATE deliveries SET state = 'pending', attempt = 0,
           next_attempt_at = CASE WHEN next_attempt_at <= $4 THEN next_attempt_at - 1 ELSE $4 END
         WHERE store_id = $1 AND id = $2 AND webhook_id = $3`,
        [storeId, id, webhookId, now()],
      );
      return mustFind(webhookId, id);
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
  };
};

type AttemptPart = Pick<WebhookRepository, 'recordAttempt' | 'giveUp' | 'noteHealth'>;

export const sqlAttempts = (sql: Sql, storeId: bigint, now: Clock): AttemptPart => ({
  async recordAttempt({ id, attempt, dueAt }, result, { state, attemptAt }) {
    await sql.run(
      `UPDATE deliveries SET attempt = attempt + 1, response_status = $5, response_body = $6,
           duration_ms = $7, attempted_at = $8,
           state = CASE WHEN next_attempt_at IS NULL AND $4 = 'pending' THEN 'failed' ELSE $4 END,
           next_attempt_at = CASE WHEN next_attempt_at IS NULL THEN next_attempt_at ELSE $9 END
         WHERE store_id = $1 AND id = $2 AND attempt = $3 AND (next_attempt_at = $10 OR next_attempt_at IS NULL)`,
      [
        storeId,
        id,
        attempt,
        state,
        result.responseStatus,
        // PostgreSQL cannot store U+0000 in text.
        result.responseBody?.replaceAll('\0', '\uFFFD') ?? null,
        result.durationMs,
        now(),
        attemptAt,
        dueAt,
      ],
    );
  },

  async giveUp({ id, attempt, dueAt }, reason) {
    await sql.run(
      `UPDATE deliveries SET state = 'failed', next_attempt_at = NULL, response_status = NULL, response_body = $5
       WHERE store_id = $1 AND id = $2 AND attempt = $3 AND next_attempt_at = $4`,
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

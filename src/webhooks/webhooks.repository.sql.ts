import type { Sql, SqlValue } from '../database/sql.ts';
import type { Sequencer } from '../events/sequencer.ts';
import type { Clock } from '../kernel/clock.ts';
import type { PageRequest } from '../kernel/contract.ts';
import type { EventType } from '../kernel/event.ts';
import type { RandomText } from '../kernel/random-id.ts';
import type { Delivery, DeliveryState } from './delivery.ts';
import type { Webhook } from './webhook.ts';
import { CLEARED_AT_ONCE, type WebhookRepository } from './webhooks.repository.ts';

type WebhookRow = {
  id: string;
  url: string;
  events: string;
  is_enabled: bigint;
  disabled_reason: Webhook['disabledReason'];
  created_at: bigint;
};

type DeliveryRow = {
  id: string;
  event_id: string;
  attempt: bigint;
  state: DeliveryState;
  response_status: bigint | null;
  response_body: string | null;
  duration_ms: bigint | null;
  attempted_at: bigint | null;
  next_attempt_at: bigint | null;
  created_at: bigint;
};

const WEBHOOK = 'id, url, events, is_enabled, disabled_reason, created_at';
const DELIVERY =
  'id, event_id, attempt, state, response_status, response_body, duration_ms, attempted_at, next_attempt_at, created_at';

const numberIf = (value: bigint | null): number | null => (value === null ? null : Number(value));

const toWebhook = (row: WebhookRow): Webhook => ({
  id: row.id,
  url: row.url,
  events: row.events.split(' ') as EventType[],
  enabled: row.is_enabled === 1n,
  disabledReason: row.disabled_reason,
  createdAt: Number(row.created_at),
});

const toDelivery = (row: DeliveryRow): Delivery => ({
  id: row.id,
  eventId: row.event_id,
  attempt: Number(row.attempt),
  state: row.state,
  responseStatus: numberIf(row.response_status),
  responseBody: row.response_body,
  durationMs: numberIf(row.duration_ms),
  attemptedAt: numberIf(row.attempted_at),
  nextAttemptAt: numberIf(row.next_attempt_at),
  createdAt: Number(row.created_at),
});

type Deps = { now: Clock; randomText: RandomText; sequencer: Sequencer };

/** In `is_enabled`: the webhook is gone, and its row stays until its deliveries are. */
const REMOVED = -1;
/** In `last_sequence` of a webhook that is switched off: it has nothing left to give up. */
const CLEARED = -1;

export const sqlWebhooks = (sql: Sql, storeId: bigint, { now, randomText, sequencer }: Deps): WebhookRepository => {
  const one = async (id: string, lock: string): Promise<Webhook | undefined> => {
    const row = await sql.one<WebhookRow>(
      `SELECT ${WEBHOOK} FROM webhooks WHERE store_id = $1 AND id = $2 AND is_enabled >= 0 ${lock}`,
      [storeId, id],
    );
    return row && toWebhook(row);
  };

  /** By the time of creation and then by id. */
  const page = async <Row>(
    from: string,
    values: SqlValue[],
    { limit, order, after }: PageRequest<{ createdAt: number; id: string }>,
  ): Promise<Row[]> => {
    const value = (given: SqlValue) => `$${values.push(given)}`;
    const behind = after
      ? `AND (created_at, id) ${order === 'asc' ? '>' : '<'} (${value(after.createdAt)}, ${value(after.id)})`
      : '';
    return sql.all<Row>(`${from} ${behind} ORDER BY created_at ${order}, id ${order} LIMIT ${value(limit)}`, values);
  };

  const send = async (webhookId: string, event: { id: string; sequence: bigint; petId: bigint | null }) => {
    const id = `dlv_${randomText(24)}`;
    await sql.run(
      `INSERT INTO deliveries (store_id, id, webhook_id, sequence, event_id, pet_id, attempt, state, next_attempt_at, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, 0, 'pending', $7, $7)`,
      [storeId, id, webhookId, event.sequence, event.id, event.petId, now()],
    );
    return id;
  };

  const findDelivery = async (webhookId: string, id: string): Promise<Delivery | undefined> => {
    const row = await sql.one<DeliveryRow>(
      `SELECT ${DELIVERY} FROM deliveries WHERE store_id = $1 AND id = $2 AND webhook_id = $3`,
      [storeId, id, webhookId],
    );
    return row && toDelivery(row);
  };

  const mustFind = async (webhookId: string, id: string): Promise<Delivery> => {
    const delivery = await findDelivery(webhookId, id);
    if (!delivery) throw new Error(`delivery ${id} was just there`);
    return delivery;
  };

  /** From here on no event of the store gets a number until the transaction ends; those before have theirs. */
  const lockStore = async (): Promise<void> => {
    await sequencer.assignPending(storeId);
    await sql.one(`SELECT last_sequence FROM stores WHERE id = $1 ${sql.lockRows}`, [storeId]);
  };

  type Pointer = { last_sequence: bigint; events: string };
  const point = (id: string, isEnabled: number) =>
    sql.one<Pointer>(
      `SELECT last_sequence, events FROM webhooks WHERE store_id = $1 AND id = $2 AND is_enabled = $3 ${sql.lockRows}`,
      [storeId, id, isEnabled],
    );
  const moveTo = (id: string, sequence: bigint | number) =>
    sql.run('UPDATE webhooks SET last_sequence = $3 WHERE store_id = $1 AND id = $2', [storeId, id, sequence]);

  const putOnTheirWay = async (webhookId: string, webhook: Pointer, most: number): Promise<number> => {
    const events = await sql.all<{ id: string; sequence: bigint; type: string; pet_id: bigint | null }>(
      `SELECT id, sequence, type, pet_id FROM events
       WHERE store_id = $1 AND sequence > $2 ORDER BY sequence LIMIT $3`,
      [storeId, webhook.last_sequence, most],
    );
    const last = events.at(-1);
    if (!last) return 0;
    const wanted = new Set(webhook.events.split(' '));
    // A test goes to the webhook under test alone, and is already on its way.
    wanted.delete('webhook.test');
    for (const { id, sequence, type, pet_id: petId } of events) {
      if (wanted.has(type)) await send(webhookId, { id, sequence, petId });
    }
    await moveTo(webhookId, last.sequence);
    return events.length;
  };

  const fanOut = async (webhookId: string, most: number): Promise<number> => {
    const webhook = await point(webhookId, 1);
    return webhook ? putOnTheirWay(webhookId, webhook, most) : 0;
  };

  const giveUp = async (webhookId: string, webhook: Pointer, most: number): Promise<boolean> => {
    const events = await putOnTheirWay(webhookId, webhook, most);
    const given = await sql.all(
      `UPDATE deliveries SET state = 'failed', next_attempt_at = NULL WHERE store_id = $1 AND id IN (
         SELECT id FROM deliveries WHERE store_id = $1 AND webhook_id = $2 AND next_attempt_at IS NOT NULL LIMIT $3)
       RETURNING id`,
      [storeId, webhookId, most],
    );
    if (events === most || given.length === most) return false;
    await moveTo(webhookId, CLEARED);
    return true;
  };

  const clear = async (webhookId: string, most: number): Promise<boolean> => {
    const off = await point(webhookId, 0);
    if (off) return off.last_sequence === BigInt(CLEARED) || giveUp(webhookId, off, most);
    if (!(await point(webhookId, REMOVED))) return true;
    const removed = await sql.all(
      `DELETE FROM deliveries WHERE store_id = $1 AND id IN (
         SELECT id FROM deliveries WHERE store_id = $1 AND webhook_id = $2 LIMIT $3)
       RETURNING id`,
      [storeId, webhookId, most],
    );
    if (removed.length === most) return false;
    await sql.run('DELETE FROM webhooks WHERE store_id = $1 AND id = $2', [storeId, webhookId]);
    return true;
  };

  return {
    findDelivery,
    fanOut,
    clear,
    find: (id) => one(id, ''),
    lock: (id) => one(id, sql.lockRows),

    async lockCount() {
      await lockStore();
      const row = await sql.one<{ count: bigint }>(
        'SELECT count(*) AS count FROM webhooks WHERE store_id = $1 AND is_enabled >= 0',
        [storeId],
      );
      return Number(row?.count);
    },

    async list(asked) {
      const from = `SELECT ${WEBHOOK} FROM webhooks WHERE store_id = $1 AND is_enabled >= 0`;
      const rows = await page<WebhookRow>(from, [storeId], asked);
      return rows.map(toWebhook);
    },

    async listDeliveries(webhookId, asked) {
      const from = `SELECT ${DELIVERY} FROM deliveries WHERE store_id = $1 AND webhook_id = $2`;
      return (await page<DeliveryRow>(from, [storeId, webhookId], asked)).map(toDelivery);
    },

    async insert(webhook, secret) {
      await sql.writeCounters();
      await sql.run(
        `INSERT INTO webhooks (store_id, ${WEBHOOK}, secret, last_sequence)
         SELECT $1, $2, $3, $4, 1, NULL, $5, $6, last_sequence FROM stores WHERE id = $1`,
        [storeId, webhook.id, webhook.url, webhook.events.join(' '), webhook.createdAt, secret],
      );
    },

    async update({ id, url, events, enabled, disabledReason }) {
      await lockStore();
      await fanOut(id, CLEARED_AT_ONCE);
      await sql.writeCounters();
      await sql.run(
        `UPDATE webhooks SET url = $3, events = $4, disabled_reason = $5,
           failing_since = CASE WHEN is_enabled = $6 AND url = $3 THEN failing_since ELSE NULL END,
           last_sequence = CASE WHEN is_enabled < $6 THEN (SELECT s.last_sequence FROM stores s WHERE s.id = $1)
                                ELSE last_sequence END,
           is_enabled = $6
         WHERE store_id = $1 AND id = $2`,
        [storeId, id, url, events.join(' '), disabledReason, enabled ? 1 : 0],
      );
      await clear(id, CLEARED_AT_ONCE);
    },

    async replaceSecret(id, secret, graceEndsAt) {
      await sql.run(
        `UPDATE webhooks SET previous_secret = secret, previous_secret_ends_at = $4, secret = $3
         WHERE store_id = $1 AND id = $2`,
        [storeId, id, secret, graceEndsAt],
      );
    },

    async remove(id) {
      await sql.run(
        `UPDATE webhooks SET is_enabled = $3, secret = '', previous_secret = NULL WHERE store_id = $1 AND id = $2`,
        [storeId, id, REMOVED],
      );
      await clear(id, CLEARED_AT_ONCE);
    },

    async sendTest(webhookId, eventId) {
      await sequencer.assignPending(storeId);
      const event = await sql.one<{ id: string; sequence: bigint }>(
        `SELECT id, sequence FROM events WHERE store_id = $1 AND type = 'webhook.test' AND id = $2
         ORDER BY sequence DESC LIMIT 1`,
        [storeId, eventId],
      );
      if (!event) throw new Error(`event ${eventId} was just there`);
      return mustFind(webhookId, await send(webhookId, { ...event, petId: null }));
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

    async recordAttempt({ id, attempt, dueAt }, outcome, { state, attemptAt }) {
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
          outcome.responseStatus,
          // PostgreSQL keeps no NUL in a text.
          outcome.responseBody?.replaceAll('\0', '\uFFFD') ?? null,
          outcome.durationMs,
          now(),
          attemptAt,
          dueAt,
        ],
      );
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

    async noteHealth(webhookId, isWorking) {
      const row = await sql.one<{ failing_since: bigint | null }>(
        `UPDATE webhooks SET failing_since = CASE WHEN $3 = 1 THEN NULL ELSE coalesce(failing_since, $4) END
         WHERE store_id = $1 AND id = $2 RETURNING failing_since`,
        [storeId, webhookId, isWorking ? 1 : 0, now()],
      );
      return row?.failing_since == null ? null : Number(row.failing_since);
    },
  };
};

import { sqlDue } from '../../delivery/due.sql.ts';
import { sqlFanOut } from '../../delivery/fan-out.repository.sql.ts';
import type { EventType } from '../../kernel/event.ts';
import type { RowOf } from '../../kernel/row.ts';
import { pageOf } from '../../storage/page.sql.ts';
import type { Sql } from '../../storage/sql.ts';
import { type Deps, sqlAttempts, sqlDeliveries } from './deliveries.repository.sql.ts';
import type { Webhook, WebhookState } from './webhook.ts';
import { CLEARED_PER_TRANSACTION, type WebhookRepository } from './webhooks.repository.ts';

type WebhookRow = RowOf<Omit<Webhook, 'events' | 'enabled' | 'isOperators'>> & {
  events: string;
  state: WebhookState;
  is_operators: bigint;
};

const WEBHOOK = 'id, url, events, state, disabled_reason, created_at, key_id, is_operators';

const toWebhook = (row: WebhookRow): Webhook => ({
  id: row.id,
  url: row.url,
  events: row.events.split(' ') as EventType[],
  enabled: row.state === 'enabled',
  disabledReason: row.disabled_reason,
  createdAt: Number(row.created_at),
  keyId: row.key_id,
  isOperators: row.is_operators === 1n,
});

/** If a webhook is enabled again, it skips earlier events. Enabling it or changing its URL clears `failing_since`. */
const ENABLE = `
  after_sequence = CASE WHEN state = 'enabled' THEN after_sequence
                        ELSE (SELECT s.last_sequence FROM stores s WHERE s.id = $1) END,
  failing_since = CASE WHEN state = 'enabled' AND url = $3 THEN failing_since END,
  state = 'enabled'`;
const DISABLE = `state = CASE WHEN state = 'enabled' THEN 'disabling' ELSE state END`;

// While a store has no webhooks, `fanned_out` may fall behind. Adding the first webhook updates `fanned_out`, so that
// the webhook skips all earlier events.
const COUNT_NEW = `UPDATE stores SET webhooks = webhooks + 1,
  fanned_out = CASE WHEN webhooks = 0 THEN last_sequence ELSE fanned_out END WHERE id = $1`;

const lookups = (sql: Sql, storeId: bigint) => {
  const one = async (id: string, lock: string): Promise<Webhook | undefined> => {
    const row = await sql.one<WebhookRow>(
      `SELECT ${WEBHOOK} FROM webhooks WHERE store_id = $1 AND id = $2 AND state <> 'removing' ${lock}`,
      [storeId, id],
    );
    return row && toWebhook(row);
  };
  return {
    find: (id) => one(id, ''),
    lock: (id) => one(id, sql.lockRows),

    async list(page, { withOperators }) {
      const by = { created_at: page.after?.createdAt, id: page.after?.id };
      const terms = [`state <> 'removing'`, ...(withOperators ? [] : ['is_operators = 0'])];
      const { where, end, values } = pageOf({ terms, equal: { store_id: storeId }, by }, page);
      return (await sql.all<WebhookRow>(`SELECT ${WEBHOOK} FROM webhooks ${where} ${end}`, values)).map(toWebhook);
    },
  } satisfies Partial<WebhookRepository>;
};

export const sqlWebhooks = (sql: Sql, storeId: bigint, deps: Deps): WebhookRepository => {
  const { fanOut, fanOutTo, clear } = sqlFanOut(sql, storeId, deps.now);

  // Assigns sequence numbers to all committed events. After that, no more sequence numbers can be assigned until this
  // transaction ends.
  const lockStore = async (): Promise<void> => {
    await deps.sequencer.assignPending(storeId);
    await sql.one(`SELECT id FROM stores WHERE id = $1 ${sql.lockRows && 'FOR NO KEY UPDATE'}`, [storeId]);
  };

  return {
    ...sqlDeliveries(sql, storeId, deps),
    ...sqlAttempts(sql, storeId, deps.now),
    ...sqlDue(sql, storeId, deps.now),
    fanOut,
    clear,
    ...lookups(sql, storeId),

    async lockCount(isOperators) {
      await lockStore();
      const row = await sql.one<{ count: bigint }>(
        `SELECT count(*) AS count FROM webhooks WHERE store_id = $1 AND state <> 'removing' AND is_operators = $2`,
        [storeId, isOperators ? 1 : 0],
      );
      return Number(row?.count);
    },

    async insert({ id, url, events, createdAt, keyId, isOperators }, secret) {
      await sql.writeCounters();
      await sql.run(
        `INSERT INTO webhooks (store_id, ${WEBHOOK}, secret, after_sequence)
         SELECT $1, $2, $3, $4, 'enabled', NULL, $5, $6, $7, $8, last_sequence FROM stores WHERE id = $1`,
        [storeId, id, url, events.join(' '), createdAt, keyId, isOperators ? 1 : 0, secret],
      );
      await sql.run(COUNT_NEW, [storeId]);
    },

    async update({ id, url, events, enabled, disabledReason, keyId, isOperators }) {
      await lockStore();
      await fanOutTo(id, CLEARED_PER_TRANSACTION);
      await sql.writeCounters();
      await sql.run(
        `UPDATE webhooks SET url = $3, events = $4, disabled_reason = $5, key_id = $6, is_operators = $7,
           ${enabled ? ENABLE : DISABLE}
         WHERE store_id = $1 AND id = $2`,
        [storeId, id, url, events.join(' '), disabledReason, keyId, isOperators ? 1 : 0],
      );
      await clear(id, CLEARED_PER_TRANSACTION);
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
        `UPDATE webhooks SET state = 'removing', secret = '', previous_secret = NULL WHERE store_id = $1 AND id = $2`,
        [storeId, id],
      );
      await sql.run('UPDATE stores SET webhooks = webhooks - 1 WHERE id = $1', [storeId]);
      await clear(id, CLEARED_PER_TRANSACTION);
    },
  };
};

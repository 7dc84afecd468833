import { type Clock, SET_AHEAD_MS } from '../kernel/runtime.ts';
import { CLAIM_MS, type WebhookRepository } from '../resources/webhooks/webhooks.repository.ts';
import type { Sql } from '../storage/sql.ts';

/**
 * `stores.due_at` must never be later than the store's next delivery attempt. It may be earlier, because attempts do
 * not update it. The statement must always wait for a concurrent `settle`, which locks the row. If the comparison were
 * in WHERE, the statement could skip the row without waiting.
 */
export const sqlMakeDue = (sql: Sql, storeId: bigint, now: Clock) => () =>
  sql.run('UPDATE stores SET due_at = CASE WHEN due_at < $2 THEN due_at ELSE $2 END WHERE id = $1', [storeId, now()]);

/** A claim that ends too far in the future is ignored: the clock must have been set back since the claim was made. */
export const unclaimed = (now: string): string =>
  `(d.claimed_until IS NULL OR d.claimed_until <= ${now} OR d.claimed_until > ${now} + ${CLAIM_MS + SET_AHEAD_MS})`;

/** While a webhook is `disabling` or `removing`, some of its deliveries are still due, but none may be sent. */
const ENABLED = `EXISTS (
  SELECT 1 FROM webhooks w WHERE w.store_id = d.store_id AND w.id = d.webhook_id AND w.state = 'enabled')`;

/**
 * Only the leader sends webhooks, but a former leader may not know yet that it has been replaced. A claim ensures that
 * only one of the two instances sends a delivery. On SQLite, there is only one instance, so no claims are needed.
 */
export const sqlDue = (
  sql: Sql,
  storeId: bigint,
  now: Clock,
): Pick<WebhookRepository, 'settle' | 'hasten' | 'claim' | 'release'> => ({
  async settle() {
    // Waits for transactions that are adding deliveries. Otherwise, the UPDATE would not see the rows they add.
    await sql.one(`SELECT id FROM stores WHERE id = $1 ${sql.lockRows && 'FOR NO KEY UPDATE'}`, [storeId]);
    await sql.run(
      `UPDATE stores SET due_at = (
         SELECT MIN((SELECT d.next_attempt_at FROM deliveries d
           WHERE d.store_id = w.store_id AND d.webhook_id = w.id AND d.next_attempt_at IS NOT NULL
           ORDER BY d.next_attempt_at LIMIT 1))
         FROM webhooks w WHERE w.store_id = $1 AND w.state = 'enabled')
       WHERE id = $1`,
      [storeId],
    );
  },

  async hasten(latest, most) {
    const hastened = await sql.all(
      `UPDATE deliveries SET next_attempt_at = $2 WHERE store_id = $1 AND id IN (
         SELECT d.id FROM webhooks w JOIN deliveries d ON d.store_id = w.store_id AND d.webhook_id = w.id
         WHERE w.store_id = $1 AND d.next_attempt_at > $3 LIMIT $4)
       RETURNING id`,
      [storeId, now(), latest, most],
    );
    await sqlMakeDue(sql, storeId, now)();
    return hastened.length;
  },

  async claim(ids) {
    const places = ids.map((_, index) => `$${index + 4}`).join(', ');
    const claimed = await sql.all<{ id: string }>(
      `UPDATE deliveries SET claimed_until = $3 WHERE store_id = $1 AND id IN (
         SELECT d.id FROM deliveries d WHERE d.store_id = $1 AND d.id IN (${places}) AND d.next_attempt_at <= $2
           AND ${unclaimed('$2')} AND ${ENABLED} ${sql.lockRows && 'FOR UPDATE SKIP LOCKED'})
       RETURNING id`,
      [storeId, now(), now() + CLAIM_MS, ...ids],
    );
    return claimed.map(({ id }) => id);
  },

  async release({ id, attempt, dueAt }) {
    await sql.run(
      `UPDATE deliveries SET claimed_until = NULL
       WHERE store_id = $1 AND id = $2 AND attempt = $3 AND next_attempt_at + 0 = $4`,
      [storeId, id, attempt, dueAt],
    );
  },
});

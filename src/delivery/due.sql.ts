import type { Clock } from '../kernel/clock.ts';
import type { WebhookRepository } from '../resources/webhooks/webhooks.repository.ts';
import type { Sql } from '../storage/sql.ts';

/**
 * Makes the dispatcher look at the store, after a delivery became due. `stores.due_at` may be too early, never too late:
 * attempts leave it unchanged, and `settle` corrects it. So it costs nothing per attempt. The condition is not part of
 * WHERE, because the statement must wait for the lock of a concurrent `settle`.
 */
export const sqlMakeDue = (sql: Sql, storeId: bigint, now: Clock) => () =>
  sql.run('UPDATE stores SET due_at = CASE WHEN due_at < $2 THEN due_at ELSE $2 END WHERE id = $1', [storeId, now()]);

export const sqlDue = (sql: Sql, storeId: bigint, now: Clock): Pick<WebhookRepository, 'settle' | 'hasten'> => ({
  async settle() {
    // Waits for transactions that add deliveries, so that the next statement sees their rows.
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
});

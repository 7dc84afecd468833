import { type Clock, LEASE_SET_AHEAD_MS } from '../kernel/clock.ts';
import { CLAIM_MS, type WebhookRepository } from '../resources/webhooks/webhooks.repository.ts';
import type { Sql } from '../storage/sql.ts';

/** `now` is an SQL expression. A claim that ends too late was made before the clock was set back. */
export const unclaimed = (now: string): string =>
  `(d.claimed_until IS NULL OR d.claimed_until <= ${now} OR d.claimed_until > ${now} + ${CLAIM_MS + LEASE_SET_AHEAD_MS})`;

/**
 * Only the leader sends, but a former leader may not have noticed yet. The claim keeps both from sending a delivery. An
 * engine with a sole writer has one sender, and needs no claims.
 */
export const sqlClaims = (sql: Sql, storeId: bigint, now: Clock): Pick<WebhookRepository, 'claim' | 'release'> => ({
  async claim(ids) {
    const places = ids.map((_, index) => `$${index + 4}`).join(', ');
    const claimed = await sql.all<{ id: string }>(
      `UPDATE deliveries SET claimed_until = $3 WHERE store_id = $1 AND id IN (
         SELECT d.id FROM deliveries d WHERE d.store_id = $1 AND d.id IN (${places}) AND d.next_attempt_at <= $2
           AND ${unclaimed('$2')} ${sql.lockRows && 'FOR UPDATE SKIP LOCKED'})
       RETURNING id`,
      [storeId, now(), now() + CLAIM_MS, ...ids],
    );
    return claimed.map(({ id }) => id);
  },

  async release({ id, attempt, dueAt }) {
    await sql.run(
      `UPDATE deliveries SET claimed_until = NULL
       WHERE store_id = $1 AND id = $2 AND attempt = $3 AND next_attempt_at = $4`,
      [storeId, id, attempt, dueAt],
    );
  },
});

import type { Clock } from '../kernel/clock.ts';
import type { WebhookRepository } from '../resources/webhooks/webhooks.repository.ts';
import type { Sql } from '../storage/sql.ts';

type Part = Pick<WebhookRepository, 'recordAttempt' | 'giveUp' | 'noteHealth'>;

export const sqlAttempts = (sql: Sql, storeId: bigint, now: Clock): Part => ({
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
        // PostgreSQL keeps no NUL in a text.
        result.responseBody?.replaceAll('\0', '\uFFFD') ?? null,
        result.durationMs,
        now(),
        attemptAt,
        dueAt,
      ],
    );
  },

  async giveUp({ id, attempt, dueAt }, why) {
    await sql.run(
      `UPDATE deliveries SET state = 'failed', next_attempt_at = NULL, response_status = NULL, response_body = $5
       WHERE store_id = $1 AND id = $2 AND attempt = $3 AND next_attempt_at = $4`,
      [storeId, id, attempt, dueAt, why],
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

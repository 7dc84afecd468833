import type { Clock } from '../kernel/clock.ts';
import type { Sql } from '../storage/sql.ts';
import type { IdempotencyRepository, KeptAnswer, KeptAnswers } from './idempotency.repository.ts';

export const sqlIdempotency = (sql: Sql, storeId: bigint, now: Clock): IdempotencyRepository => ({
  async find(keyId, idempotencyKey) {
    return sql.one<KeptAnswer>(
      `SELECT fingerprint, body, version, location FROM idempotency
       WHERE store_id = $1 AND key_id = $2 AND idempotency_key = $3`,
      [storeId, keyId, idempotencyKey],
    );
  },

  async keep(keyId, idempotencyKey, { fingerprint, body, version, location }) {
    await sql.run(
      `INSERT INTO idempotency (store_id, key_id, idempotency_key, fingerprint, body, version, location, kept_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [storeId, keyId, idempotencyKey, fingerprint, body, version, location, now()],
    );
  },
});

export const sqlKeptAnswers = (sql: Sql): KeptAnswers => ({
  async forget(before, most) {
    const removed = await sql.all(
      `DELETE FROM idempotency WHERE (store_id, key_id, idempotency_key) IN
         (SELECT store_id, key_id, idempotency_key FROM idempotency WHERE kept_at <= $1 ORDER BY kept_at LIMIT $2)
       RETURNING key_id`,
      [before, most],
    );
    return removed.length;
  },
});

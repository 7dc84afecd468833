import type { Clock } from '../kernel/runtime.ts';
import type { Sql } from '../storage/sql.ts';
import type { IdempotencyRepository, KeptAnswer, KeptAnswers } from './idempotency.repository.ts';

const FIND = `SELECT fingerprint, body, version, location FROM idempotency
  WHERE store_id = $1 AND key_id = $2 AND idempotency_key = $3`;
const FIND_IN_ROW = `${FIND} AND rowid = $4`;
const COLUMNS = 'store_id, key_id, idempotency_key, fingerprint, body, version, location, kept_at';
const INSERT = `INSERT INTO idempotency (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`;
const INSERT_IN_ROW = `INSERT INTO idempotency (${COLUMNS}, key_hash, rowid)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`;

const nameOf = (storeId: bigint, keyId: string, idempotencyKey: string): string =>
  `${storeId} ${keyId} ${idempotencyKey}`;

export const sqlIdempotency = (sql: Sql, storeId: bigint, now: Clock): IdempotencyRepository => ({
  find(keyId, idempotencyKey) {
    const values = [storeId, keyId, idempotencyKey];
    if (!sql.keyIndex) return sql.one<KeptAnswer>(FIND, values);
    // Only SQLite has a key index, and SQLite returns rows, not promises.
    for (const row of sql.keyIndex.find(nameOf(storeId, keyId, idempotencyKey))) {
      const kept = sql.one<KeptAnswer>(FIND_IN_ROW, [...values, row]);
      if (kept) return kept;
    }
    return undefined;
  },

  keep(keyId, idempotencyKey, { fingerprint, body, version, location }) {
    const values = [storeId, keyId, idempotencyKey, fingerprint, body, version, location, now()];
    if (!sql.keyIndex) return sql.run(INSERT, values);
    const { hash, row } = sql.keyIndex.addNew(nameOf(storeId, keyId, idempotencyKey));
    values.push(hash, row);
    return sql.run(INSERT_IN_ROW, values);
  },
});

export const sqlKeptAnswers = (sql: Sql): KeptAnswers => ({
  async forget(before, most) {
    const { keyIndex } = sql;
    const row = keyIndex ? 'rowid' : 'store_id, key_id, idempotency_key';
    const removed = await sql.all(
      `DELETE FROM idempotency WHERE (${row}) IN (SELECT ${row} FROM idempotency
       WHERE kept_at <= $1 ORDER BY kept_at LIMIT $2) RETURNING key_id`,
      [before, most],
    );
    if (keyIndex) {
      const first = await sql.one<{ row: bigint }>('SELECT rowid AS row FROM idempotency ORDER BY rowid LIMIT 1', []);
      const firstRow = first ? Number(first.row) : keyIndex.nextRow();
      sql.afterCommit(() => keyIndex.dropBefore(firstRow));
    }
    return removed.length;
  },
});

import type { RowOf } from '../../kernel/row.ts';
import type { Sql } from '../../storage/sql.ts';
import type { UsageRepository } from './usage.repository.ts';
import type { DeprecatedCalls, HourCount } from './usage.ts';

export const sqlUsage = (sql: Sql): UsageRepository => ({
  async hoursOf(keyId, since) {
    const rows = await sql.all<RowOf<HourCount>>(
      'SELECT hour, status, count FROM usage WHERE key_id = $1 AND hour >= $2 ORDER BY hour, status',
      [keyId, since],
    );
    return rows.map((row) => ({ hour: Number(row.hour), status: Number(row.status), count: Number(row.count) }));
  },

  async deprecatedCalls() {
    const rows = await sql.all<RowOf<DeprecatedCalls>>(
      'SELECT operation, key_id, calls, last_called_at FROM deprecated_calls ORDER BY last_called_at DESC, key_id',
      [],
    );
    return rows.map((row) => ({
      operation: row.operation,
      keyId: row.key_id,
      calls: Number(row.calls),
      lastCalledAt: Number(row.last_called_at),
    }));
  },

  async add(batch) {
    // Sorts the rows, because concurrent transactions that write them in different orders could deadlock.
    for (const { keyId, lastUsedAt, hours, deprecated } of batch.toSorted((a, b) => (a.keyId < b.keyId ? -1 : 1))) {
      for (const { hour, status, count } of hours.toSorted((a, b) => a.hour - b.hour || a.status - b.status)) {
        await sql.run(
          `INSERT INTO usage (key_id, hour, status, count) VALUES ($1, $2, $3, $4)
           ON CONFLICT (key_id, hour, status) DO UPDATE SET count = usage.count + excluded.count`,
          [keyId, hour, status, count],
        );
      }
      for (const { operation, calls, lastCalledAt } of deprecated.toSorted((a, b) =>
        a.operation < b.operation ? -1 : 1,
      )) {
        await sql.run(
          `INSERT INTO deprecated_calls (operation, key_id, calls, last_called_at) VALUES ($1, $2, $3, $4)
           ON CONFLICT (operation, key_id) DO UPDATE
           SET calls = deprecated_calls.calls + excluded.calls,
               last_called_at = CASE WHEN deprecated_calls.last_called_at > excluded.last_called_at
                 THEN deprecated_calls.last_called_at ELSE excluded.last_called_at END`,
          [operation, keyId, calls, lastCalledAt],
        );
      }
      await sql.run('UPDATE keys SET last_used_at = $2 WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < $2)', [
        keyId,
        lastUsedAt,
      ]);
    }
  },

  async newestHour(until) {
    const row = await sql.one<{ hour: bigint | null }>('SELECT max(hour) AS hour FROM usage WHERE hour <= $1', [until]);
    return row?.hour == null ? undefined : Number(row.hour);
  },

  async forget(before, most) {
    const removed = await sql.all(
      `DELETE FROM usage WHERE (key_id, hour, status) IN
         (SELECT key_id, hour, status FROM usage WHERE hour < $1 ORDER BY hour LIMIT $2)
       RETURNING key_id`,
      [before, most],
    );
    return removed.length;
  },
});

import type { RowOf } from '../../kernel/row.ts';
import type { Sql } from '../../storage/sql.ts';
import type { Sequencer } from '../../streaming/sequencer.ts';
import { type EventCount, PERIOD_MS } from './counts.ts';
import type { EventReads } from './events.repository.ts';

export const sqlCounts =
  (sql: Sql, storeId: bigint, sequencer: Sequencer): EventReads['counts'] =>
  async ({ period, from, to }) => {
    await sequencer.assignPending(storeId);
    await sql.writeCounters();
    const rows = await sql.all<RowOf<EventCount>>(
      `SELECT start, kind, count FROM event_counts
       WHERE store_id = $1 AND period = $2 AND start >= $3 AND start < $4 AND count > 0 ORDER BY start, kind`,
      [storeId, period, from, to],
    );
    return rows.map(({ start, kind, count }) => ({ start: Number(start), kind, count: Number(count) }));
  };

/**
 * On SQLite, changed counters are written at commit, so a row that is deleted here may reappear. In that case, the next
 * call deletes the row.
 */
export const forgetCounts = async (sql: Sql, storeId: bigint, oldest: number, most: number): Promise<void> => {
  for (const [period, ms] of Object.entries(PERIOD_MS)) {
    await sql.run(
      `DELETE FROM event_counts WHERE (store_id, period, start, kind) IN
         (SELECT store_id, period, start, kind FROM event_counts
          WHERE store_id = $1 AND period = $2 AND start <= $3 ORDER BY start LIMIT $4)`,
      [storeId, period, oldest - ms, most],
    );
  }
};

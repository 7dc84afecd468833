import type { Sql } from '../database/sql.ts';
import { INSTANCE } from './instance.ts';
import type { NewsStore } from './news.store.ts';

type NewsRow = { now: bigint; mark: string; keys: string | null; stores: string | null; instances: bigint };

/**
 * Only for PostgreSQL. Rows are marked with the transaction that changed them; a look goes on from the oldest one that
 * was still running at the last look, so that a change which commits late is not missed. Marks beyond those the server
 * has given out are of a server before it, from which the data was restored.
 */
const SINCE = `SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now,
    pg_snapshot_xmin(pg_current_snapshot())::text AS mark,
    (SELECT string_agg(id, ' ') FROM keys
     WHERE changed_in >= $1::xid8 AND changed_in < pg_snapshot_xmax(pg_current_snapshot())) AS keys,
    (SELECT string_agg(id::text, ' ') FROM stores
     WHERE numbered_in >= $1::xid8 AND numbered_in < pg_snapshot_xmax(pg_current_snapshot())) AS stores,
    (SELECT count(*) FROM leases WHERE name LIKE $2 AND until > extract(epoch FROM clock_timestamp()) * 1000) AS instances`;

const words = (list: string | null): string[] => list?.split(' ') ?? [];

export const newsOnSql = (sql: Sql): NewsStore => ({
  async since(mark) {
    // No transaction of the future has changed anything yet.
    const row = await sql.one<NewsRow>(SINCE, [mark ?? '9223372036854775807', `${INSTANCE}%`]);
    if (!row) throw new Error('the database tells no news');
    return {
      now: Number(row.now),
      mark: row.mark,
      keyIds: words(row.keys),
      storeIds: words(row.stores).map(BigInt),
      instances: Number(row.instances),
    };
  },
});

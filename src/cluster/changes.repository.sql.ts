import type { Sql } from '../storage/sql.ts';
import { type ChangesRepository, INSTANCE } from './cluster.repository.ts';

type ChangesRow = { now: bigint; mark: string; keys: string | null; stores: string | null; instances: bigint };

/**
 * PostgreSQL only. Each row stores the id of the transaction that last changed it. A poll returns its snapshot as the
 * mark, and the next poll returns the changes that were not visible in that snapshot. No late commit is missed, and a
 * long transaction does not make later changes reappear in every poll. Data restored from another server can contain
 * transaction ids from the future, which the last condition excludes.
 */
const isNew = (transaction: string): string => `${transaction} >= pg_snapshot_xmin($1::pg_snapshot)
     AND NOT pg_visible_in_snapshot(${transaction}, $1::pg_snapshot)
     AND ${transaction} < pg_snapshot_xmax(pg_current_snapshot())`;

const SINCE = `SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now,
    pg_current_snapshot()::text AS mark,
    (SELECT string_agg(id, ' ') FROM keys WHERE ${isNew('changed_in')}) AS keys,
    (SELECT string_agg(id::text, ' ') FROM stores WHERE ${isNew('sequenced_in')}) AS stores,
    (SELECT count(*) FROM leases WHERE name LIKE $2 AND until > extract(epoch FROM clock_timestamp()) * 1000) AS instances`;

/** A snapshot that includes every transaction, so that the first poll returns a mark and no changes. */
const ALL_SEEN = '9223372036854775806:9223372036854775806:';

const words = (list: string | null): string[] => list?.split(' ') ?? [];

export const sqlChanges = (sql: Sql): ChangesRepository => ({
  async since(mark) {
    const row = await sql.one<ChangesRow>(SINCE, [mark ?? ALL_SEEN, `${INSTANCE}%`]);
    if (!row) throw new Error('the database returned no changes');
    return {
      now: Number(row.now),
      mark: row.mark,
      keyIds: words(row.keys),
      storeIds: words(row.stores).map(BigInt),
      instances: Number(row.instances),
    };
  },
});

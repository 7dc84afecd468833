import { SET_AHEAD_MS } from '../kernel/runtime.ts';
import type { Sql } from '../storage/sql.ts';
import type { Changes, Question, Work } from './poller.ts';

type Row = {
  now: bigint;
  key_changes: bigint;
  keys: string | null;
  leader: string | null;
  leader_until: bigint;
  position: bigint;
  history: string;
  are_writes_noted: string;
  has_work?: string | null;
};
type Head = { id: bigint; last_sequence: bigint };

const NO_CHANGE = 2n ** 63n - 1n;

/**
 * There is a partial index for each of these searches, so polling stays fast even if the tables are large. Without
 * `ORDER BY`, PostgreSQL would choose a sequential scan, in the hope of finding a due row soon.
 */
const workBy = (time: '$1' | '$2'): Record<Work, string> => ({
  events: 'SELECT store_id FROM events WHERE sequence IS NULL',
  orders: `(SELECT store_id FROM orders WHERE expires_at <= ${time} ORDER BY expires_at)`,
  resets: 'SELECT id FROM stores WHERE reset_at IS NOT NULL',
  webhooks: `(SELECT id FROM stores WHERE due_at <= ${time} ORDER BY due_at)
    UNION ALL SELECT store_id FROM webhooks WHERE state IN ('disabling', 'removing')`,
});

/** Stops at the first row. Citus passes an explicit LIMIT on to the shards, but not the implied limit of EXISTS. */
const isAny = (rows: string): string => `(SELECT 1 FROM (${rows}) AS found LIMIT 1)`;
/** On Citus, this is a single statement per shard, because each part of the UNION selects the store's id. */
const HAS_WORK = isAny(Object.values(workBy('$2')).join(' UNION ALL '));
const KINDS = Object.keys(workBy('$1')) as Work[];
const KINDS_OF_WORK = `SELECT ${KINDS.map((kind) => `${isAny(workBy('$1')[kind])} AS ${kind}`).join(', ')}`;

const NOW = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

const CHANGES = `${NOW} AS now, key_changes, leader, leader_until,
  (SELECT string_agg(id, ' ') FROM keys WHERE changed > $1) AS keys`;

/** The flush position covers all acknowledged writes. A WAL file's name begins with the timeline (eight hex digits). */
const STANDBY = `(pg_current_wal_flush_lsn() - '0/0')::bigint AS position,
  (SELECT system_identifier FROM pg_control_system()) || ' ' ||
    ('x' || substr(pg_walfile_name(pg_current_wal_flush_lsn()), 1, 8))::bit(32)::int AS history,
  standby_suspended_until <= ${NOW} AS are_writes_noted`;

const SEQUENCES = 'SELECT id, last_sequence FROM stores WHERE id = ANY ($1::bigint[])';

export const sqlCluster = (sql: Sql) => ({
  async read({ keyChanges = NO_CHANGE, storeIds, workAt }: Question, hasStandby = false): Promise<Changes> {
    const columns = hasStandby ? [CHANGES, STANDBY] : [CHANGES];
    if (workAt !== undefined) columns.push(`${HAS_WORK} AS has_work`);
    const values = workAt === undefined ? [keyChanges] : [keyChanges, workAt];
    const row = await sql.one<Row>(`SELECT ${columns.join(', ')} FROM deployment`, values);
    if (!row) throw new Error('the database has no deployment');
    const found = row.has_work ? await sql.one<Record<Work, string | null>>(KINDS_OF_WORK, values.slice(1)) : undefined;
    const { position, history, are_writes_noted } = row;
    const heads = storeIds.length === 0 ? [] : await sql.all<Head>(SEQUENCES, [`{${storeIds.join()}}`]);
    return {
      now: Number(row.now),
      keyChanges: row.key_changes,
      keyIds: row.keys?.split(' ') ?? [],
      sequences: new Map(heads.map(({ id, last_sequence }) => [id, last_sequence])),
      leader: { holder: row.leader, until: Number(row.leader_until) },
      work: workAt === undefined ? undefined : new Set(KINDS.filter((kind) => found?.[kind])),
      standby: hasStandby ? { position, history, areWritesNoted: are_writes_noted === 't' } : undefined,
    };
  },

  async lead(holder: string, now: number, until: number): Promise<boolean> {
    const led = await sql.one(
      `UPDATE deployment SET leader = $1, leader_until = $3
       WHERE leader = $1 OR leader_until <= $2 OR leader_until - ${SET_AHEAD_MS} > $3 RETURNING leader`,
      [holder, now, until],
    );
    return led !== undefined;
  },

  async resign(holder: string): Promise<void> {
    await sql.run('UPDATE deployment SET leader = NULL, leader_until = 0 WHERE leader = $1', [holder]);
  },

  async suspendStandby(forMs: number): Promise<void> {
    await sql.run(`UPDATE deployment SET standby_suspended_until = ${NOW} + $1`, [forMs]);
  },
});

export type ClusterRepository = ReturnType<typeof sqlCluster>;

import pg from 'pg';
import { SHARD_COLUMNS } from './citus-layout.ts';
import { query } from './servers/databases.ts';

/** Each of these stores has its own partition. All other stores share one partition. */
const STORES = [1, 2, 3, 4];

const partition = (table: string, column: string, triggers: readonly string[]): string[] => [
  `ALTER TABLE ${table} RENAME TO ${table}_whole`,
  `CREATE TABLE ${table} (LIKE ${table}_whole INCLUDING ALL) PARTITION BY LIST (${column})`,
  ...STORES.map((store) => `CREATE TABLE ${table}_${store} PARTITION OF ${table} FOR VALUES IN (${store})`),
  `CREATE TABLE ${table}_others PARTITION OF ${table} DEFAULT`,
  `DROP TABLE ${table}_whole`,
  ...triggers,
];

/**
 * Splits the empty tables of a database into partitions, as Citus would split them into shards. Like Citus, PostgreSQL
 * chooses a row's partition by its `store_id`.
 */
export const splitTables = async (url: string): Promise<void> => {
  const triggers: { table: string; definition: string }[] = await query(
    url,
    `SELECT tgrelid::regclass::text AS table, pg_get_triggerdef(oid) AS definition FROM pg_trigger WHERE NOT tgisinternal`,
  );
  const statements = [...SHARD_COLUMNS].flatMap(([table, column]) =>
    partition(
      table,
      column,
      triggers.filter((one) => one.table === table).map(({ definition }) => definition),
    ),
  );
  await query(url, statements.join(';\n'));
};

type Lock = { name: string; parent: string | null; mode: string };
export type Statement = { text: string; values: readonly unknown[] };

const LOCKS = `SELECT c.relname AS name, i.inhparent::regclass::text AS parent, l.mode
  FROM pg_locks l JOIN pg_class c ON c.oid = l.relation LEFT JOIN pg_inherits i ON i.inhrelid = c.oid
  WHERE l.pid = pg_backend_pid() AND c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace`;

export type Touched = { stores: string[]; shardsOf: string[]; others: string[]; written: string[] };

const READS = 'AccessShareLock';

const summarize = (locks: readonly Lock[]): Touched => {
  const unique = (names: (string | null)[]) => [...new Set(names.filter((name) => name !== null))].sort();
  const isSplit = ({ name, parent }: Lock) => SHARD_COLUMNS.has(parent ?? name);
  const others = locks.filter((lock) => !isSplit(lock));
  return {
    stores: unique(locks.map(({ name, parent }) => parent && name.slice(parent.length + 1))),
    shardsOf: unique(locks.filter(isSplit).map(({ name, parent }) => parent ?? name)),
    others: unique(others.map(({ name }) => name)),
    written: unique(others.map(({ name, mode }) => (mode === READS ? null : name))),
  };
};

/**
 * Runs statements on a database whose tables are split, and returns the tables and partitions that each statement
 * locks.
 */
export const openShards = async (url: string) => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  // Forces custom plans, because a generic plan must work for all values and would therefore lock every partition.
  await client.query('SET plan_cache_mode = force_custom_plan');
  return {
    async run({ text, values }: Statement): Promise<Touched> {
      await client.query('BEGIN');
      try {
        await client.query(text, [...values]);
        const { rows } = await client.query(LOCKS);
        await client.query('COMMIT');
        return summarize(rows);
      } catch (error) {
        await client.query('ROLLBACK');
        throw new Error(`${text}: ${error}`);
      }
    },
    close: () => client.end(),
  };
};

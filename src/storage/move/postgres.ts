import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from '../../kernel/contract.ts';
import type { PostgresConnection } from '../postgres/connection.ts';
import { READ_ONLY_NAME } from '../postgres/database.ts';
import { openPostgresServer } from '../postgres/open.ts';
import { parsePostgresUrl } from '../postgres/primary.ts';
import { DatabaseUnusable, type DatabaseUse, UNFINISHED_MOVE } from '../unusable.ts';
import type { Source, Target } from './move.ts';
import { type CatalogRow, type Table, tablesIn, type Value } from './tables.ts';

type Server = { url: string; environment: Environment; timeoutMs: number };

/** The planner may have no statistics yet, and must read tables in the order of their keys, without sorting them. */
const SESSION = `SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET lock_timeout = '10s';
  SET jit = off; SET enable_seqscan = off; SET enable_bitmapscan = off; SET enable_sort = off`;

const LOOK_AGAIN_MS = 1000;

/** A table with a foreign key comes after the others. Partitions are read and written through their table. */
const CATALOG = `
  SELECT c.relname::text AS table_name, a.attname::text AS column_name, a.attnotnull::int AS is_required,
    a.atthasdef::int AS has_default, array_position(i.indkey::int[], a.attnum::int) AS key_position
  FROM pg_class AS c
  JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  LEFT JOIN pg_index AS i ON i.indrelid = c.oid AND i.indisprimary
  WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = current_schema()::regnamespace
  ORDER BY EXISTS (SELECT FROM pg_constraint WHERE conrelid = c.oid AND contype = 'f'), c.relname, a.attnum`;

const readTables = async (connection: PostgresConnection): Promise<Table[]> =>
  tablesIn((await connection.query(CATALOG, [])) as CatalogRow[]);

const open = async (server: Server, use: DatabaseUse) => {
  const { connect } = await openPostgresServer({ ...server, use });
  const names = parsePostgresUrl(server.url).map(({ name }) => name);
  const connection = await connect();
  await connection.script(SESSION);
  return { name: names.join(', '), connection };
};

/** Connections of the same user that can write. Read-only instances show their state in their name. */
const WRITERS = `SELECT pid, application_name AS program FROM pg_stat_activity
  WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()
    AND application_name <> '${READ_ONLY_NAME}'`;

/**
 * An instance that can write would write again after the move, and those writes would be lost. Looks twice, because
 * read-only instances also open connections for a moment, to search for the primary.
 */
const refuseWriters = async (connection: PostgresConnection, name: string): Promise<void> => {
  const find = async () => (await connection.query(WRITERS, [])) as { pid: bigint; program: string }[];
  const pids = new Set((await find()).map(({ pid }) => pid));
  if (pids.size === 0) return;
  await sleep(LOOK_AGAIN_MS);
  const writer = (await find()).find(({ pid }) => pids.has(pid));
  if (writer)
    throw new DatabaseUnusable(
      `${writer.program} (process ${writer.pid}) is connected to ${name} and can write; stop it, or restart it with PETSTORE_READ_ONLY=true to keep serving reads`,
    );
};

/** Locks all tables against writes and reads one snapshot, until the move ends. */
export const openPostgresSource = async (server: Server): Promise<Source> => {
  const { name, connection } = await open(server, 'read');
  try {
    await refuseWriters(connection, name);
    const tables = await readTables(connection);
    const locked = tables.flatMap(({ name, from }) => (name === from ? [name] : [])).join(', ');
    // The locks come first, because the first query takes the snapshot.
    await connection.script('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await connection.script(`LOCK TABLE ${locked} IN SHARE MODE`);
    return { name, tables, query: connection.query, [Symbol.asyncDispose]: connection.end };
  } catch (error) {
    await connection.end();
    throw error;
  }
};

/** Bytes and integers become text, because JSON has no bytes and readers may round its numbers. */
const toText = (value: Value): string | null => {
  if (value instanceof Uint8Array) return `\\x${value.toHex()}`;
  return value === null ? null : String(value);
};

const TRIGGERS = 'SELECT DISTINCT tgrelid::regclass::text AS name FROM pg_trigger WHERE NOT tgisinternal';

const createInsert = async (connection: PostgresConnection): Promise<Target['insert']> => {
  const rows = (await connection.query(TRIGGERS, [])) as { name: string }[];
  const triggered = new Set(rows.map(({ name }) => name));
  return async (table, columns, rows) => {
    const json = JSON.stringify(
      rows.map((row) => Object.fromEntries(columns.map((name) => [name, toText(row[name] as Value)]))),
    );
    const names = columns.join(', ');
    if (triggered.has(table)) await connection.script(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
    await connection.query(
      `INSERT INTO ${table} (${names}) SELECT ${names} FROM json_populate_recordset(NULL::${table}, $1)`,
      [json],
    );
    if (triggered.has(table)) await connection.script(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
  };
};

export const openPostgresTarget = async (server: Server): Promise<Target> => {
  const { name, connection } = await open(server, 'move here');
  return {
    name,
    tables: await readTables(connection),
    query: connection.query,
    insert: await createInsert(connection),
    // The planner has no statistics of the new rows yet.
    finish: async () => void (await connection.script(`ANALYZE; DROP TABLE ${UNFINISHED_MOVE}`)),
    [Symbol.asyncDispose]: connection.end,
  };
};

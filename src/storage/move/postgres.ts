import type { PostgresConnection } from '../postgres/connection.ts';
import { openPostgresServer, type Server } from '../postgres/open.ts';
import { DatabaseUnusable, type DatabaseUse, UNFINISHED_MOVE } from '../unusable.ts';
import type { Source, Target } from './move.ts';
import { type CatalogRow, type Table, tablesIn, type Value } from './tables.ts';

/** A new database has no statistics, so PostgreSQL might sort whole tables. These settings make it use the indexes. */
const SESSION = `SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET lock_timeout = '10s';
  SET jit = off; SET enable_seqscan = off; SET enable_bitmapscan = off; SET enable_sort = off`;

/** Lists tables with a foreign key last. Partitions are left out, because the partitioned table includes their rows. */
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

/** The returned source also has the fields that `setUp` returns. */
const open = async <Added>(
  server: Server,
  use: DatabaseUse,
  setUp: (connection: PostgresConnection, { name, tables }: Pick<Source, 'name' | 'tables'>) => Promise<Added>,
): Promise<Source & Added> => {
  const { connect, where: name } = await openPostgresServer({ ...server, use });
  const connection = await connect();
  try {
    const [session] = await connection.script('SELECT pg_backend_pid() AS process');
    if ((session as { process: bigint }).process !== connection.process)
      throw new DatabaseUnusable(`${name} is a connection pooler; a move must connect to PostgreSQL directly`);
    await connection.script(SESSION);
    const tables = await readTables(connection);
    const added = await setUp(connection, { name, tables });
    return { name, tables, query: connection.query, [Symbol.asyncDispose]: connection.end, ...added };
  } catch (error) {
    await connection.end();
    throw error;
  }
};

/** While a service that can write is running, there is always a leader whose term has not ended. */
const LEADER = 'SELECT leader FROM deployment WHERE leader_until > extract(epoch FROM clock_timestamp()) * 1000';

export const openPostgresSource = (server: Server): Promise<Source> =>
  open(server, 'read', async ({ query, script }, { name, tables }) => {
    if ((await query(LEADER, [])).length > 0)
      throw new DatabaseUnusable(
        `${name} is in use by a service that can write; stop the service, or restart it with PETSTORE_READ_ONLY=true to keep serving reads ` +
          '(if the service was killed, wait 30 seconds)',
      );
    // The first query takes the snapshot, so the tables must be locked before that query.
    await script('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await script(`LOCK TABLE ${tables.map((table) => table.name).join(', ')} IN SHARE MODE`);
  });

/** Converts bytes and integers to text: JSON cannot contain bytes, and JSON parsers may round large integers. */
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

const ADD_DELIVERIES =
  'SELECT number_events(id, 1000, NULL) FROM stores WHERE webhooks > 0 AND fanned_out < last_sequence';

export const openPostgresTarget = (server: Server): Promise<Target> =>
  open(server, 'move here', async (connection) => ({
    insert: await createInsert(connection),
    // Adds deliveries that a killed SQLite service had not added yet. ANALYZE collects statistics about the new rows.
    finish: async () => void (await connection.script(`${ADD_DELIVERIES}; ANALYZE; DROP TABLE ${UNFINISHED_MOVE}`)),
  }));

import type { Environment } from '../../kernel/contract.ts';
import type { SqliteConnection } from '../sqlite/connection.ts';
import { openSqliteReader } from '../sqlite/database.ts';
import { lockDatabase } from '../sqlite/lock.ts';
import { openSqliteFile } from '../sqlite/open.ts';
import { UNFINISHED_MOVE } from '../unusable.ts';
import type { Source, Target } from './move.ts';
import { type CatalogRow, type Table, tablesIn, valuesOf } from './tables.ts';

const CATALOG = `
  SELECT t.name AS table_name, c.name AS column_name, c."notnull" AS is_required,
    c.dflt_value IS NOT NULL AS has_default, nullif(c.pk, 0) AS key_position
  FROM pragma_table_list AS t, pragma_table_info(t.name) AS c
  WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite!_%' ESCAPE '!'
  ORDER BY t.name, c.cid`;

const readTables = (connection: SqliteConnection): Table[] =>
  tablesIn(connection.all(CATALOG, []) as CatalogRow[]).map((table) =>
    table.key.length > 0 ? table : { ...table, key: ['rowid'] },
  );

type Place = { path: string; environment: Environment };

/** Takes the lock that a service needs for writing. A read-only service does not need the lock, so it keeps running. */
export const openSqliteSource = ({ path, environment }: Place): Source => {
  const { reader, file } = openSqliteReader(path, environment);
  using opening = new DisposableStack();
  opening.use(reader);
  opening.use(lockDatabase(file, ', or restart it with PETSTORE_READ_ONLY=true to keep serving reads'));
  reader.run('BEGIN');
  const tables = readTables(reader);
  const opened = opening.move();
  return { name: file, tables, query: reader.all, [Symbol.asyncDispose]: async () => opened.dispose() };
};

/** Drops triggers and recreates them in the caller's transaction, so that no trigger is lost if the move is killed. */
const insertInto =
  (connection: SqliteConnection): Target['insert'] =>
  (table, columns, rows) => {
    const find = "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = $1";
    const triggers = connection.all(find, [table]) as { name: string; sql: string }[];
    for (const { name } of triggers) connection.script(`DROP TRIGGER ${name}`);
    const parameters = columns.map((_, index) => `$${index + 1}`).join(', ');
    const insert = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${parameters})`;
    for (const row of rows) connection.run(insert, valuesOf(row, columns));
    for (const { sql } of triggers) connection.script(sql);
  };

/** Indexes all names, because the triggers that usually index names did not run during the move. */
const INDEX_NAMES = `
  INSERT INTO pet_names (rowid, folded_name) SELECT store_id << 40 | id, folded_name FROM pets WHERE store_id < 4194304;
  UPDATE stores SET names_indexed = coalesce((SELECT max(id) FROM pets WHERE store_id = stores.id), 0) WHERE id < 4194304`;

export const openSqliteTarget = ({ path, environment }: Place): Target => {
  const { writer, file, close } = openSqliteFile(path, environment, { use: 'move here' });
  // Foreign keys are off: a row may arrive before the row it refers to. A checkpoint every 40 MB keeps the WAL small.
  writer.script('PRAGMA foreign_keys = OFF; PRAGMA wal_autocheckpoint = 10000');
  return {
    name: file,
    tables: readTables(writer),
    query: writer.all,
    insert: insertInto(writer),
    finish: async () =>
      writer.script(`PRAGMA synchronous = FULL; BEGIN; ${INDEX_NAMES}; DROP TABLE ${UNFINISHED_MOVE}; COMMIT`),
    [Symbol.asyncDispose]: async () => close(),
  };
};

import type { SqlValue } from '../../sql.ts';
import { causeOf } from '../../unusable.ts';
import { connectSqlite, DamageFound, isDamaged, isUnreadable, type SqliteConnection } from '../connection.ts';

const reading = <Result>(path: string, read: (connection: SqliteConnection) => Result): Result => {
  try {
    using connection = connectSqlite(path, undefined, 'read');
    return read(connection);
  } catch (error) {
    throw isDamaged(error) || isUnreadable(error) ? new DamageFound(causeOf(error).message) : error;
  }
};

const oneLine = (text: string): string => text.replaceAll(/\s*\n\s*/g, ': ').replace(/^\*+ ?(.*?) ?\*+: /, '');

const runCheck = (connection: SqliteConnection, check: string): void => {
  const [found = ''] = Object.values(connection.one(`PRAGMA ${check}`, []) as Record<string, string>);
  if (found !== 'ok') throw new DamageFound(oneLine(found));
};

/** Cannot detect a changed byte if the rows and the indexes still agree (see docs/decisions/20-bit-rot.md). */
export const checkIntegrity = (path: string): void =>
  reading(path, (connection) => runCheck(connection, 'integrity_check(1)'));

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

export const tablesOf = (path: string): string[] =>
  reading(path, (connection) => {
    const tables = connection.all("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0", []);
    return ['sqlite_schema', ...(tables as { name: string }[]).map(({ name }) => name)];
  });

/** How many rows are checked per read. Between these short reads, SQLite can reuse the WAL. */
const SLICE_ROWS = 1000;

type Index = { name: string; columns: string; sql: string | null; isPartial: bigint };

// Leaves out indexes that `hasEntry` cannot compare: indexes on expressions, and indexes with a collation other than
// BINARY. An operator may have added such indexes.
const INDEXES = `
  SELECT list.name, list.partial AS isPartial, (SELECT sql FROM sqlite_schema WHERE name = list.name) AS sql,
    (SELECT group_concat(coalesce(name, 'rowid')) FROM pragma_index_xinfo(list.name)) AS columns
  FROM pragma_index_list($1) AS list
  WHERE (list.origin <> 'pk' OR NOT (SELECT wr FROM pragma_table_list WHERE name = $1))
    AND NOT EXISTS (SELECT 1 FROM pragma_index_xinfo(list.name) WHERE cid = -2 OR coll <> 'BINARY')`;

const KEY = `
  SELECT group_concat(name) AS key FROM (SELECT name FROM pragma_table_info($1) WHERE pk > 0
    AND (SELECT wr FROM pragma_table_list WHERE name = $1) ORDER BY pk)`;

const hasEntry = (table: string, { name, columns, sql, isPartial }: Index): string => {
  const where = isPartial ? /\sWHERE\s(.+)$/is.exec(sql ?? '')?.[1] : undefined;
  const same = columns.split(',').map((column) => `i.${quote(column)} IS t.${quote(column)}`);
  const all = [...same, ...(where ? [`(${where})`] : [])].join(' AND ');
  const entry = `EXISTS (SELECT 1 FROM ${quote(table)} AS i INDEXED BY ${quote(name)} WHERE ${all})`;
  return `${where ? `(${where}) IS NOT 1 OR ${entry}` : entry} AS ${quote(name)}`;
};

const compareRows = (connection: SqliteConnection, table: string, after: readonly SqlValue[]) => {
  const indexes = connection.all(INDEXES, [table]) as Index[];
  if (indexes.length === 0) return undefined;
  const { key } = connection.one(KEY, [table]) as { key: string | null };
  const keys = (key ?? 'rowid').split(',').map((column) => `t.${quote(column)}`);
  const from = after.length > 0 ? `WHERE (${keys.join()}) > (${after.map((_, index) => `$${index + 1}`).join()})` : '';
  const rows = connection.all(
    `SELECT ${keys.map((column, at) => `${column} AS k${at}`).join()}, ${indexes.map((index) => hasEntry(table, index)).join()}
     FROM ${quote(table)} AS t NOT INDEXED ${from} ORDER BY ${keys.join()} LIMIT ${SLICE_ROWS}`,
    after,
  ) as Record<string, SqlValue>[];
  const lacking = indexes.find(({ name }) => rows.some((row) => row[name] !== 1n));
  if (lacking) throw new DamageFound(`a row in table ${table} is missing from index ${lacking.name}`);
  const last = rows.length === SLICE_ROWS ? rows.at(-1) : undefined;
  return last && keys.map((_, at) => last[`k${at}`] as SqlValue);
};

/** Returns where the next slice begins. Undefined if the whole table has been checked. */
export const checkSlice = (path: string, table: string, after: readonly SqlValue[] | undefined) =>
  reading(path, (connection): readonly SqlValue[] | undefined => {
    if (after) return compareRows(connection, table, after);
    runCheck(connection, `quick_check(${quote(table)})`);
    return [];
  });

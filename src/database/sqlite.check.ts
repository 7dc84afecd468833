import { SQLiteError } from 'bun:sqlite';
import { connectSqlite, isDamaged, type SqliteConnection } from './sqlite.connection.ts';

/** What a scan or a statement found in the pages of a file. Nothing is written to it any more. */
export class DamageFound extends Error {}

/** File systems with checksums of their own (ZFS, Btrfs) report damage as a failed read. */
const UNREADABLE = /^SQLITE_IOERR_(READ|SHORT_READ|CORRUPTFS)$/;

const isUnreadable = (error: unknown): boolean => error instanceof SQLiteError && UNREADABLE.test(error.code ?? '');

const oneLine = (text: string): string => text.replaceAll(/\s*\n\s*/g, ': ').replace(/^\*+ ?(.*?) ?\*+: /, '');

/** The first fault that SQLite finds in the file or in one table with its indexes; undefined if it finds none. */
const findFault = (connection: SqliteConnection, table?: string): string | undefined => {
  const scope = table === undefined ? '1' : `'${table.replaceAll("'", "''")}'`;
  const { integrity_check: found } = connection.one(`PRAGMA integrity_check(${scope})`, []) as Record<string, string>;
  return found === 'ok' ? undefined : oneLine(found as string);
};

const reading = <Result>(path: string, read: (connection: SqliteConnection) => Result): Result => {
  const connection = connectSqlite(path, undefined, 'read');
  try {
    return read(connection);
  } finally {
    connection.close();
  }
};

/**
 * Checks the structure of a file, or of one table with its indexes, and compares every index with its rows. Returns the first
 * fault. A changed byte that leaves rows and indexes consistent is not found (docs/decisions/20-bit-rot.md).
 */
export const findDamage = (path: string, table?: string): string | undefined => {
  try {
    return reading(path, (connection) => findFault(connection, table));
  } catch (error) {
    const cause = (error as Error).cause ?? error;
    if (isDamaged(error) || isUnreadable(cause)) return (cause as Error).message;
    throw error;
  }
};

/** The tables to check one by one; that of the schema stands for the list of free pages as well. */
export const tablesOf = (path: string): string[] =>
  reading(path, (connection) => {
    const tables = connection.all("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0", []);
    return ['sqlite_schema', ...(tables as { name: string }[]).map(({ name }) => name)];
  });

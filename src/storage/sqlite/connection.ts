import { SQLiteError, Database as SqliteFile, type Statement } from 'bun:sqlite';
import { Failure } from '../../kernel/failure.ts';
import type { Sql, SqlValue } from '../sql.ts';

/** Limits the number of compiled statements. A query with a list of ids needs a separate statement for each length. */
const MAX_STATEMENTS = 500;

const STORAGE = /^SQLITE_(FULL|IOERR|BUSY|LOCKED|READONLY|CANTOPEN|NOMEM|CORRUPT|NOTADB)/;

/** Damage that a check of the file found. */
export class DamageFound extends Error {}

export const storageFailure = (cause: unknown, { isLogged = false } = {}): Failure =>
  new Failure('unavailable', 'The service cannot reach its storage right now; try again later.', {
    retryAfterSeconds: 5,
    cause,
    isLogged,
  });

export const isOfKind = (error: unknown, kind: RegExp): boolean =>
  error instanceof Failure ? isOfKind(error.cause, kind) : error instanceof SQLiteError && kind.test(error.code ?? '');

export const isBusy = (error: unknown): boolean => isOfKind(error, /^SQLITE_BUSY/);
export const isDamaged = (error: unknown): boolean =>
  error instanceof Failure
    ? isDamaged(error.cause)
    : error instanceof DamageFound || isOfKind(error, /^SQLITE_(CORRUPT|NOTADB)/);
/** File systems with checksums (ZFS, Btrfs) report damaged data as a failed read. */
export const isUnreadable = (error: unknown): boolean => isOfKind(error, /^SQLITE_IOERR_(READ|SHORT_READ|CORRUPTFS)$/);
/** After these I/O errors, it is unknown what is on disk. Failed writes are left out, because they change nothing. */
export const isUnsynced = (error: unknown): boolean => isOfKind(error, /^SQLITE_IOERR(?!_WRITE)/);

const createStatements = (file: SqliteFile) => {
  const statements = new Map<string, Statement>();

  const compile = (text: string): Statement => {
    const [oldest] = statements;
    if (oldest && statements.size >= MAX_STATEMENTS) {
      oldest[1].finalize();
      statements.delete(oldest[0]);
    }
    // SQLite would treat `$1` as a named parameter, so it is changed to `?1`. Without the `+`, SQLite would plan the
    // statement again for each value of LIMIT, which takes longer than reading a page.
    const compiled = file.prepare(text.replaceAll(/LIMIT \$/g, 'LIMIT +$').replaceAll(/\$(\d+)/g, '?$1'));
    statements.set(text, compiled);
    return compiled;
  };

  return {
    prepare(text: string): Statement {
      const known = statements.get(text);
      if (!known) return compile(text);
      if (statements.size >= MAX_STATEMENTS) {
        statements.delete(text);
        statements.set(text, known);
      }
      return known;
    },
    close(): void {
      for (const statement of statements.values()) statement.finalize();
    },
  };
};

export type SqliteConnection = ReturnType<typeof connectSqlite>;

export const connectSqlite = (
  path: string,
  foundDamage: (error: unknown) => void = () => undefined,
  /** With `read`, no file is created and the WAL does not change, even when the last connection closes. */
  mode: 'read' | 'write' = 'write',
) => {
  const opening = mode === 'read' ? { readonly: true } : { readwrite: true, create: true };
  const file = new SqliteFile(path, { ...opening, strict: true, safeIntegers: true });
  const { prepare, close: closeStatements } = createStatements(file);

  const explain = (error: unknown): unknown => {
    if (isDamaged(error)) foundDamage(error);
    return isOfKind(error, STORAGE) ? storageFailure(error) : error;
  };

  const close = (): void => {
    closeStatements();
    file.close();
  };

  return {
    one: (text: string, values: readonly SqlValue[]): unknown => {
      try {
        return prepare(text).get(values as SqlValue[]) ?? undefined;
      } catch (error) {
        throw explain(error);
      }
    },
    all: (text: string, values: readonly SqlValue[]): unknown[] => {
      try {
        return prepare(text).all(values as SqlValue[]);
      } catch (error) {
        throw explain(error);
      }
    },
    run: (text: string, values: readonly SqlValue[] = []): void => {
      try {
        prepare(text).run(values as SqlValue[]);
      } catch (error) {
        throw explain(error);
      }
    },
    script: (text: string): void => void file.run(text),
    close,
    [Symbol.dispose]: close,
    /** Becomes false if SQLite rolls back by itself, for example because the disk is full. */
    inTransaction: () => file.inTransaction,
    isBusy,
  };
};

const SQLITE = { lockRows: '', mergesParts: true, hasFts5: true, isSoleWriter: true, writer: 0n } as const;

export const sqlOn = (
  connection: Pick<SqliteConnection, 'one' | 'all'>,
  prepare: (text: string) => void,
  differing: Omit<Sql, keyof typeof SQLITE | 'one' | 'all' | 'noteKeyChange'>,
): Sql => ({
  one: <Row>(text: string, values: readonly SqlValue[]) => {
    prepare(text);
    return connection.one(text, values) as Row | undefined;
  },
  all: <Row>(text: string, values: readonly SqlValue[]) => {
    prepare(text);
    return connection.all(text, values) as Row[];
  },
  noteKeyChange: () => undefined,
  ...SQLITE,
  ...differing,
});

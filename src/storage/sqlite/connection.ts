import { SQLiteError, Database as SqliteFile, type Statement } from 'bun:sqlite';
import { Failure } from '../../kernel/failure.ts';
import type { Sql, SqlValue } from '../sql.ts';

/** Maximum compiled statements. Lists with many ids produce many different statements. */
const MAX_STATEMENTS = 500;

/** Problems with the disk or the file, not with the request: full, failing, locked, read-only, damaged. */
const STORAGE = /^SQLITE_(FULL|IOERR|BUSY|LOCKED|READONLY|CANTOPEN|NOMEM|CORRUPT|NOTADB)/;
/** A page differs from what was written. */
const DAMAGED = /^SQLITE_(CORRUPT|NOTADB)/;
/** File systems with checksums (ZFS, Btrfs) report damage as a failed read. */
const UNREADABLE = /^SQLITE_IOERR_(READ|SHORT_READ|CORRUPTFS)$/;
/** A sync within a commit or a checkpoint has failed. A failed write is harmless, because nothing was written. */
const UNSYNCED = /^SQLITE_IOERR(?!_WRITE)/;

export const storageFailure = (cause: unknown, { isLogged = false } = {}): Failure =>
  new Failure('unavailable', 'The service cannot reach its storage right now; try again later.', {
    retryAfterSeconds: 5,
    cause,
    isLogged,
  });

export const isOfKind = (error: unknown, kind: RegExp): boolean =>
  error instanceof Failure ? isOfKind(error.cause, kind) : error instanceof SQLiteError && kind.test(error.code ?? '');

export const isBusy = (error: unknown): boolean => isOfKind(error, /^SQLITE_BUSY/);
export const isDamaged = (error: unknown): boolean => isOfKind(error, DAMAGED);
export const isUnreadable = (error: unknown): boolean => isOfKind(error, UNREADABLE);
export const isUnsynced = (error: unknown): boolean => isOfKind(error, UNSYNCED);

/** Compiled statements by their text. */
const createStatements = (file: SqliteFile) => {
  const statements = new Map<string, Statement>();

  const compile = (text: string): Statement => {
    const [oldest] = statements;
    if (oldest && statements.size >= MAX_STATEMENTS) {
      oldest[1].finalize();
      statements.delete(oldest[0]);
    }
    // `$1` is a numbered parameter in PostgreSQL but a named one in SQLite, which writes numbered parameters as `?1`.
    // If a limit is a bare parameter, SQLite plans the statement again for every value, which takes longer than reading
    // a page.
    const compiled = file.prepare(text.replaceAll(/LIMIT \$/g, 'LIMIT +$').replaceAll(/\$(\d+)/g, '?$1'));
    statements.set(text, compiled);
    return compiled;
  };

  const prepare = (text: string): Statement => {
    const known = statements.get(text);
    if (!known) return compile(text);
    if (statements.size >= MAX_STATEMENTS) {
      // Moves the statement to the end, so that the least recently used one is dropped.
      statements.delete(text);
      statements.set(text, known);
    }
    return known;
  };

  return {
    prepare,
    close: (): void => {
      for (const statement of statements.values()) statement.finalize();
    },
  };
};

export type SqliteConnection = ReturnType<typeof connectSqlite>;

/** One connection to an SQLite file. Integers are always bigint, because numbers would be rounded beyond 2^53. */
export const connectSqlite = (
  path: string,
  /** Called when a statement encounters a damaged page. */
  foundDamage: (error: unknown) => void = () => undefined,
  /** `read` creates no file, and does not touch the log even if it is the last connection to close. */
  mode: 'read' | 'write' = 'write',
) => {
  const opening = mode === 'read' ? { readonly: true } : { readwrite: true, create: true };
  const file = new SqliteFile(path, { ...opening, strict: true, safeIntegers: true });
  const { prepare, close: closeStatements } = createStatements(file);

  const explain = (error: unknown): unknown => {
    if (isDamaged(error)) foundDamage(error);
    return isOfKind(error, STORAGE) ? storageFailure(error) : error;
  };

  const run = (text: string, values: readonly SqlValue[] = []): void => {
    try {
      prepare(text).run(...(values as SqlValue[]));
    } catch (error) {
      throw explain(error);
    }
  };
  const close = (): void => {
    closeStatements();
    file.close();
  };

  return {
    one: (text: string, values: readonly SqlValue[]): unknown => {
      try {
        return prepare(text).get(...(values as SqlValue[])) ?? undefined;
      } catch (error) {
        throw explain(error);
      }
    },
    all: (text: string, values: readonly SqlValue[]): unknown[] => {
      try {
        return prepare(text).all(...(values as SqlValue[]));
      } catch (error) {
        throw explain(error);
      }
    },
    run,
    /** Runs several statements without values. */
    script: (text: string): void => {
      file.run(text);
    },
    close,
    [Symbol.dispose]: close,
    /** False once the engine has rolled back on its own, as SQLite does when the disk is full. */
    inTransaction: () => file.inTransaction,
    /** Whether another program holds a lock on the file. */
    isBusy,
  };
};

type Differing = Omit<Sql, 'one' | 'all' | 'lockRows' | 'mergesParts' | 'isSoleWriter' | 'lock' | 'tryLock' | 'writer'>;

/** The interface that all engines share, on one connection. `prepare` is called with each statement before it runs. */
export const sqlOn = (
  connection: Pick<SqliteConnection, 'one' | 'all'>,
  prepare: (text: string) => void,
  differing: Differing,
): Sql => ({
  one: <Row>(text: string, values: readonly SqlValue[]) => {
    prepare(text);
    return connection.one(text, values) as Row | undefined;
  },
  all: <Row>(text: string, values: readonly SqlValue[]) => {
    prepare(text);
    return connection.all(text, values) as Row[];
  },
  // Only one transaction writes at a time, so no other transaction can change its rows.
  lockRows: '',
  mergesParts: true,
  isSoleWriter: true,
  lock: () => undefined,
  tryLock: async () => true,
  writer: 0n,
  ...differing,
});

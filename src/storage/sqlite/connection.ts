import { SQLiteError, Database as SqliteFile, type Statement } from 'bun:sqlite';
import { Failure } from '../../kernel/failure.ts';
import type { SqlValue } from '../sql.ts';
import type { TransactionControl } from './group-transaction.ts';

/** Compiled statements are kept; lists with many ids make many texts, so the number is bounded. */
const MOST_STATEMENTS = 500;

/** The disk or the file stands in the way, not the request: full, failing, locked, made read-only, damaged. */
const STORAGE = /^SQLITE_(FULL|IOERR|BUSY|LOCKED|READONLY|CANTOPEN|NOMEM|CORRUPT|NOTADB)/;
/** A page is not what it was when it was written. */
const DAMAGED = /^SQLITE_(CORRUPT|NOTADB)/;
/** File systems with checksums (ZFS, Btrfs) report damage as a failed read. */
const UNREADABLE = /^SQLITE_IOERR_(READ|SHORT_READ|CORRUPTFS)$/;
/** What a commit or a checkpoint says when a sync in it has failed. A write that failed is only not done. */
const UNSYNCED = /^SQLITE_IOERR(?!_WRITE)/;

export const storageFailure = (cause: unknown, { isLogged = false } = {}): Failure =>
  new Failure('unavailable', 'The service cannot reach its storage right now; try again later.', {
    retryAfterSeconds: 5,
    cause,
    isLogged,
  });

export const isOfKind = (error: unknown, kind: RegExp): boolean =>
  error instanceof Failure ? isOfKind(error.cause, kind) : error instanceof SQLiteError && kind.test(error.code ?? '');

const translate = (error: unknown): unknown => (isOfKind(error, STORAGE) ? storageFailure(error) : error);

export const isBusy = (error: unknown): boolean => isOfKind(error, /^SQLITE_BUSY/);
export const isDamaged = (error: unknown): boolean => isOfKind(error, DAMAGED);
export const isUnreadable = (error: unknown): boolean => isOfKind(error, UNREADABLE);
export const isUnsynced = (error: unknown): boolean => isOfKind(error, UNSYNCED);

export type SqliteConnection = Omit<TransactionControl, 'mustWork'> & {
  one(text: string, values: readonly SqlValue[]): unknown;
  all(text: string, values: readonly SqlValue[]): unknown[];
  run(text: string, values: readonly SqlValue[]): void;
  /** Begins a transaction that only reads; the first read takes the snapshot. */
  beginReading(): void;
  /** Several statements without values, as a migration has them. */
  script(text: string): void;
  close(): void;
};

/**
 * PostgreSQL numbers parameters `$1`; to SQLite that is a name, and only `?1` is a number. SQLite plans a statement again for
 * each value of a limit that is a bare parameter, which takes longer than reading a page.
 */
const toSqlite = (text: string): string => text.replaceAll(/LIMIT \$/g, 'LIMIT +$').replaceAll(/\$(\d+)/g, '?$1');

/** Compiled statements. One that is used moves to the end of the line, so that the least used is dropped. */
const createStatements = (file: SqliteFile) => {
  const statements = new Map<string, Statement>();

  const compile = (text: string): Statement => {
    const [oldest] = statements;
    if (oldest && statements.size >= MOST_STATEMENTS) {
      oldest[1].finalize();
      statements.delete(oldest[0]);
    }
    const compiled = file.prepare(toSqlite(text));
    statements.set(text, compiled);
    return compiled;
  };

  return {
    of(text: string): Statement {
      const known = statements.get(text);
      if (known && statements.size >= MOST_STATEMENTS) {
        statements.delete(text);
        statements.set(text, known);
      }
      return known ?? compile(text);
    },
    finalize(): void {
      for (const statement of statements.values()) statement.finalize();
    },
  };
};

/** One connection to an SQLite file. Integers are bigint throughout: as numbers they would be rounded beyond 2^53. */
export const connectSqlite = (
  path: string,
  /** Hears of a damaged page that a statement has met. */
  foundDamage: (error: unknown) => void = () => undefined,
  /** One that only reads makes no file, and leaves the log alone also if it is the last to close. */
  mode: 'read' | 'write' = 'write',
): SqliteConnection => {
  const opening = mode === 'read' ? { readonly: true } : { readwrite: true, create: true };
  const file = new SqliteFile(path, { ...opening, strict: true, safeIntegers: true });
  const statements = createStatements(file);

  const fail = (error: unknown): never => {
    if (isDamaged(error)) foundDamage(error);
    throw translate(error);
  };
  const run = (text: string, values: readonly SqlValue[] = []): void => {
    try {
      statements.of(text).run(...(values as SqlValue[]));
    } catch (error) {
      fail(error);
    }
  };

  return {
    one: (text, values) => {
      try {
        return statements.of(text).get(...(values as SqlValue[])) ?? undefined;
      } catch (error) {
        return fail(error);
      }
    },
    all: (text, values) => {
      try {
        return statements.of(text).all(...(values as SqlValue[]));
      } catch (error) {
        return fail(error);
      }
    },
    run,
    script: (text) => {
      file.run(text);
    },
    close: () => {
      statements.finalize();
      file.close();
    },
    begin: () => run('BEGIN IMMEDIATE'),
    beginReading: () => run('BEGIN'),
    commit: () => run('COMMIT'),
    rollback: () => run('ROLLBACK'),
    savepoint: () => run('SAVEPOINT one'),
    release: () => run('RELEASE one'),
    rollbackToSavepoint: () => {
      run('ROLLBACK TO one');
      run('RELEASE one');
    },
    inTransaction: () => file.inTransaction,
    isBusy,
  };
};

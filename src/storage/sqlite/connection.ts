import { SQLiteError, Database as SqliteFile, type Statement } from 'bun:sqlite';
import { Failure } from '../../kernel/failure.ts';
import type { SqlValue } from '../sql.ts';

/** Maximum number of compiled statements: lists with many ids make many texts. */
const MOST_STATEMENTS = 500;

/** Faults of the disk or the file, not of the request: full, failing, locked, read-only, damaged. */
const STORAGE = /^SQLITE_(FULL|IOERR|BUSY|LOCKED|READONLY|CANTOPEN|NOMEM|CORRUPT|NOTADB)/;
/** A page is not what it was when it was written. */
const DAMAGED = /^SQLITE_(CORRUPT|NOTADB)/;
/** File systems with checksums (ZFS, Btrfs) report damage as a failed read. */
const UNREADABLE = /^SQLITE_IOERR_(READ|SHORT_READ|CORRUPTFS)$/;
/** A sync inside a commit or a checkpoint has failed. A failed write is harmless: it did not happen. */
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

export type SqliteConnection = ReturnType<typeof connectSqlite>;

/** One connection to an SQLite file. Integers are bigint throughout: as numbers they would be rounded beyond 2^53. */
export const connectSqlite = (
  path: string,
  /** Called when a statement meets a damaged page. */
  foundDamage: (error: unknown) => void = () => undefined,
  /** `read` makes no file, and leaves the log alone even if it is the last to close. */
  mode: 'read' | 'write' = 'write',
) => {
  const opening = mode === 'read' ? { readonly: true } : { readwrite: true, create: true };
  const file = new SqliteFile(path, { ...opening, strict: true, safeIntegers: true });
  const statements = new Map<string, Statement>();

  /** Moves the statement to the end, so that the least recently used one is dropped. */
  const findCompiled = (text: string): Statement | undefined => {
    const known = statements.get(text);
    if (known && statements.size >= MOST_STATEMENTS) {
      statements.delete(text);
      statements.set(text, known);
    }
    return known;
  };

  const compile = (text: string): Statement => {
    const [oldest] = statements;
    if (oldest && statements.size >= MOST_STATEMENTS) {
      oldest[1].finalize();
      statements.delete(oldest[0]);
    }
    // `$1` is a number in PostgreSQL but a name in SQLite, where `?1` is the number. SQLite plans again for every value of
    // a limit that is a bare parameter, which takes longer than reading a page.
    const compiled = file.prepare(text.replaceAll(/LIMIT \$/g, 'LIMIT +$').replaceAll(/\$(\d+)/g, '?$1'));
    statements.set(text, compiled);
    return compiled;
  };

  const act = <Result>(text: string, use: (statement: Statement) => Result): Result => {
    try {
      return use(findCompiled(text) ?? compile(text));
    } catch (error) {
      if (isDamaged(error)) foundDamage(error);
      throw translate(error);
    }
  };
  const run = (text: string, values: readonly SqlValue[]): void => {
    act(text, (statement) => statement.run(...(values as SqlValue[])));
  };
  const control = (text: string): void => run(text, []);
  const close = (): void => {
    for (const statement of statements.values()) statement.finalize();
    file.close();
  };

  return {
    one: (text: string, values: readonly SqlValue[]): unknown =>
      act(text, (statement) => statement.get(...(values as SqlValue[]))) ?? undefined,
    all: (text: string, values: readonly SqlValue[]): unknown[] =>
      act(text, (statement) => statement.all(...(values as SqlValue[]))),
    run,
    /** Several statements without values. */
    script: (text: string): void => {
      file.run(text);
    },
    close,
    [Symbol.dispose]: close,
    begin: () => control('BEGIN IMMEDIATE'),
    /** Begins a transaction that only reads; the first read takes the snapshot. */
    beginReading: () => control('BEGIN'),
    commit: () => control('COMMIT'),
    rollback: () => control('ROLLBACK'),
    savepoint: () => control('SAVEPOINT one'),
    release: () => control('RELEASE one'),
    rollbackToSavepoint: () => {
      control('ROLLBACK TO one');
      control('RELEASE one');
    },
    inTransaction: () => file.inTransaction,
    isBusy,
  };
};

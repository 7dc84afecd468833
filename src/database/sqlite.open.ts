import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Environment } from '../kernel/environment.ts';
import { MIGRATIONS } from './migrations.sqlite.ts';
import { connectSqlite, type SqliteConnection } from './sqlite.connection.ts';
import { DatabaseUnusable } from './unusable.ts';

/** Earlier versions can corrupt a file in WAL mode. */
const OLDEST_SQLITE = [3, 51, 3] as const;

/** Marks a file as ours: "pets" in ASCII. */
const APPLICATION_ID = 0x70657473n;

/** The wait for an operator's own tool on the same file. It stands still with the whole process: longer waits are tried again. */
const BUSY_MS = 10;

/** Inner pages of the indexes stay in memory; with the default of 2 MB an import is a quarter slower. */
const CACHE_KIB = 16_000;

/** @internal */
export const isOldSqlite = (version: string): boolean => {
  const parts = version.split('.').map(Number);
  const steps = OLDEST_SQLITE.map((oldest, index) => (parts[index] ?? 0) - oldest);
  return (steps.find((step) => step !== 0) ?? 0) < 0;
};

const pragma = (connection: SqliteConnection, name: string): unknown =>
  Object.values((connection.one(`PRAGMA ${name}`, []) ?? {}) as object)[0];

/** Limits and ids are counted in memory, so one process at a time may own the file. The lock dies with the process. */
const lock = (path: string): SqliteConnection => {
  const connection = connectSqlite(`${path}.lock`);
  try {
    connection.script('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    return connection;
  } catch (error) {
    connection.close();
    const isHeld = (error as { code?: string }).code?.startsWith('SQLITE_BUSY');
    if (!isHeld) throw error;
    throw new DatabaseUnusable(`${path} is in use by another petstore process`, { cause: error });
  }
};

const configure = (writer: SqliteConnection, path: string): void => {
  const { version } = writer.one('SELECT sqlite_version() AS version', []) as { version: string };
  if (isOldSqlite(version))
    throw new DatabaseUnusable(`SQLite ${version} is too old: ${OLDEST_SQLITE.join('.')} is needed`);
  const isOurs = pragma(writer, 'application_id') === APPLICATION_ID;
  const isEmpty = writer.one('SELECT 1 AS found FROM sqlite_schema LIMIT 1', []) === undefined;
  if (!isOurs && !isEmpty) throw new DatabaseUnusable(`${path} is a database of another program`);
  if (pragma(writer, 'journal_mode = WAL') !== 'wal') throw new DatabaseUnusable(`${path} cannot be put into WAL mode`);
  // FULL: what is written on the way to the first request is on disk when its commit returns.
  writer.script(
    `PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA busy_timeout = ${BUSY_MS}; PRAGMA application_id = ${APPLICATION_ID};
     PRAGMA cache_size = -${CACHE_KIB}; PRAGMA wal_autocheckpoint = 0`,
  );
};

const migrate = (writer: SqliteConnection, path: string, migrations: readonly string[]): void => {
  const seen = Number(pragma(writer, 'user_version'));
  if (seen > migrations.length) {
    throw new DatabaseUnusable(
      `${path} was written by a newer version of petstore (schema ${seen}, this version knows ${migrations.length})`,
    );
  }
  for (const [index, step] of migrations.entries()) {
    if (index < seen) continue;
    writer.begin();
    writer.script(step);
    writer.script(`PRAGMA user_version = ${index + 1}`);
    writer.commit();
  }
};

/** Production and staging keys must never meet in one file. */
const claim = (writer: SqliteConnection, path: string, environment: Environment): void => {
  const claimed = writer.one('SELECT environment FROM deployment', []) as { environment: string } | undefined;
  if (!claimed) writer.run('INSERT INTO deployment (environment) VALUES ($1)', [environment]);
  else if (claimed.environment !== environment) {
    throw new DatabaseUnusable(
      `${path} is a ${claimed.environment} database, but PETSTORE_ENVIRONMENT is ${environment}`,
    );
  }
};

/** Where the file is, with its log and its lock beside it: the path may be one of several links to it. */
const fileAt = (path: string): string => {
  mkdirSync(dirname(path), { recursive: true });
  if (!existsSync(path)) closeSync(openSync(path, 'a'));
  return realpathSync(path);
};

const syncFolder = (file: string): void => {
  const folder = openSync(dirname(file), 'r');
  fsyncSync(folder);
  closeSync(folder);
};

/**
 * From here on a commit returns before it is on disk, and `sqlite.sync.ts` sees to the rest. What a process left in the
 * log when it was killed, or when a sync failed, may not be on disk although it can be read: it is brought to its place
 * first, so that nothing is written behind a gap. The names of new files are to last as well.
 */
const leaveSyncsToUs = (writer: SqliteConnection, file: string): void => {
  writer.script('PRAGMA wal_checkpoint(TRUNCATE); PRAGMA synchronous = NORMAL');
  // Savepoints are kept in memory; a migration that sorts a whole table is not.
  writer.script('PRAGMA temp_store = MEMORY');
  syncFolder(file);
};

/** Opens, locks, checks and migrates the file. Whatever is wrong with it is said in one sentence. */
export const openSqliteFile = (path: string, environment: Environment, migrations = MIGRATIONS) => {
  const opened: SqliteConnection[] = [];
  const close = () => {
    for (const connection of opened) connection.close();
  };
  const open = (connect: () => SqliteConnection): SqliteConnection => {
    const connection = connect();
    opened.unshift(connection);
    return connection;
  };
  try {
    const file = fileAt(path);
    open(() => lock(file));
    const writer = open(() => connectSqlite(file));
    configure(writer, path);
    migrate(writer, path, migrations);
    claim(writer, path, environment);
    leaveSyncsToUs(writer, file);
    const reader = open(() => connectSqlite(file));
    reader.script(`PRAGMA query_only = ON; PRAGMA busy_timeout = ${BUSY_MS}; PRAGMA cache_size = -${CACHE_KIB}`);
    return { writer, reader, file, close };
  } catch (error) {
    close();
    if (error instanceof DatabaseUnusable) throw error;
    const cause = error instanceof Error ? ((error.cause as Error | undefined) ?? error) : error;
    throw new DatabaseUnusable(`cannot use the database ${path}: ${cause instanceof Error ? cause.message : cause}`, {
      cause,
    });
  }
};

import { statSync } from 'node:fs';
import { isOlderVersion } from '../../kernel/builtins.ts';
import type { Environment } from '../../kernel/contract.ts';
import {
  asUnusable,
  DatabaseUnusable,
  type DatabaseUse,
  fingerprintOf,
  madeInDevelopment,
  planMigrations,
  refuseEnvironment,
  refuseNewer,
  refuseUnfinishedMove,
  UNFINISHED_MOVE,
} from '../unusable.ts';
import { copyBeforeMigration, forgetCopy } from './backup/migration-copy.ts';
import { connectSqlite, isBusy, isDamaged, isUnsynced, type SqliteConnection } from './connection.ts';
import { adviseRestore, fileAt, isLogMissing, logSize, markOpen, readHeader, unmarkOpen } from './files.ts';
import { lockDatabase, requestYield } from './lock.ts';
import { MIGRATIONS } from './migrations.ts';
import { explainAccess } from './owner.ts';
import { isOutOfSpace } from './space.ts';
import { createHealth, type Health } from './sync.ts';
import { rewriteWal } from './wal.ts';

/** Earlier versions of SQLite can corrupt a database in WAL mode. */
const OLDEST_SQLITE = '3.51.3';

/** "pe" in ASCII, followed by 16 bits that identify the first schema. Development versions used different bits. */
const FAMILY = 0x7065n;
const APPLICATION_ID = (FAMILY << 16n) | (fingerprintOf(MIGRATIONS) & 0xffffn);

const foreign = (path: string, id: bigint): DatabaseUnusable =>
  id >> 16n === FAMILY
    ? madeInDevelopment(path)
    : new DatabaseUnusable(`${path} is not a petstore database; set DATABASE_URL to another file`);

/** Waiting for another program's lock blocks the process. After this time, group commit retries without blocking. */
const BUSY_MS = 10;

/** How long a starting service waits for another program to close the database. */
const LOCK_MS = 1000;
/** How long a starting service waits for a backup to stop, which may take seconds on a busy machine. */
const YIELD_MS = 15_000;

/** Large enough for the inner pages of the indexes. With SQLite's default size, imports would be a quarter slower. */
const CACHE_KIB = 16_000;

/** @internal */
export const isOldSqlite = (version: string): boolean => isOlderVersion(version, OLDEST_SQLITE);

const pragma = (connection: SqliteConnection, name: string): unknown =>
  Object.values((connection.one(`PRAGMA ${name}`, []) ?? {}) as object)[0];

export type OpenOptions = {
  migrations?: readonly string[];
  backsUp?: boolean | undefined;
  backedUp?: ((copy: string) => void) | undefined;
  logMissing?: ((message: string) => void) | undefined;
  health?: Health;
  syncLog?: (file: number) => void;
  use?: DatabaseUse;
};

type Place = OpenOptions & { path: string; file: string; environment: Environment };

/** Takes SQLite's own lock, which also detects programs that do not use our lock file, such as the sqlite3 shell. */
const lockExclusively = (sole: SqliteConnection, { path, file }: Place): void => {
  const timeoutMs = requestYield(file) ? YIELD_MS : LOCK_MS;
  sole.script(`PRAGMA locking_mode = EXCLUSIVE; PRAGMA busy_timeout = ${timeoutMs}`);
  try {
    sole.one('SELECT 1 FROM sqlite_schema LIMIT 1', []);
  } catch (error) {
    if (!isBusy(error)) throw error;
    throw new DatabaseUnusable(
      `${path} is in use by another program: stop the petstore process, backup or shell that has the file open`,
      { cause: error },
    );
  }
};

class LogUnsafe extends Error {}

// After a kill or a failed sync, the WAL can be read, but parts of it may exist only in memory. If the WAL were not
// synced before the checkpoint, a power loss during the checkpoint could leave only part of the data on disk.
const secureLog = (sole: SqliteConnection, { file, syncLog }: Place): void => {
  if (logSize(file) === 0) return;
  try {
    const frames = rewriteWal(`${file}-wal`, syncLog);
    const { log } = sole.one('PRAGMA wal_checkpoint(NOOP)', []) as { log: bigint };
    if (Number(log) !== frames)
      throw new Error(`SQLite found ${log} pages in the log, but ${frames} could be rewritten`);
  } catch (error) {
    throw new LogUnsafe(
      `its log cannot be written to disk: ${(error as Error).message}; check the disk, then start the service again`,
    );
  }
};

/** Closing the files would run a checkpoint, which is unsafe until the disk works again. */
const mustLeaveOpen = (error: unknown, file: string): boolean =>
  (error instanceof LogUnsafe || isUnsynced(error) || isDamaged(error)) && logSize(file) > 0;

const configure = (writer: SqliteConnection, path: string): void => {
  const { version } = writer.one('SELECT sqlite_version() AS version', []) as { version: string };
  if (isOldSqlite(version))
    throw new DatabaseUnusable(`SQLite ${version} is too old: petstore needs ${OLDEST_SQLITE} or later`);
  const id = pragma(writer, 'application_id') as bigint;
  const isOurs = id === APPLICATION_ID;
  const isEmpty = writer.one('SELECT 1 AS found FROM sqlite_schema LIMIT 1', []) === undefined;
  if (!isOurs && !isEmpty) throw foreign(path, id);
  if (pragma(writer, 'journal_mode = WAL') !== 'wal')
    throw new DatabaseUnusable(`${path} cannot use SQLite's WAL mode; move the file to a local disk`);
  // With `synchronous = FULL`, a migration is on disk when its commit returns.
  writer.script(
    `PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA cache_size = -${CACHE_KIB};
     PRAGMA wal_autocheckpoint = 0`,
  );
  // Writes the id only if it is missing. If the migration fails, the next start can reuse the copy that was made before
  // the migration, but only if nothing was written to the database.
  if (!isOurs) writer.script(`PRAGMA application_id = ${APPLICATION_ID}`);
};

const claim = (writer: SqliteConnection, { path, environment }: Place): void => {
  const claimed = writer.one('SELECT environment FROM deployment', []) as { environment: string } | undefined;
  if (claimed) refuseEnvironment(`${path} is`, claimed.environment, environment);
  else writer.run('INSERT INTO deployment (environment) VALUES ($1)', [environment]);
};

export const isMoveTarget = (connection: SqliteConnection): boolean =>
  connection.one('SELECT 1 FROM sqlite_schema WHERE name = $1', [UNFINISHED_MOVE]) !== undefined;

const schemaOf = (writer: SqliteConnection): number => Number(pragma(writer, 'user_version'));

const migrate = (writer: SqliteConnection, place: Place): void => {
  const { path, file, migrations = MIGRATIONS, backsUp = true } = place;
  const seen = schemaOf(writer);
  refuseNewer(path, seen, migrations.length);
  if (seen === migrations.length) return;
  // Checks the environment first, because a service with the wrong environment must not change anything.
  if (seen > 0) claim(writer, place);
  const copy = backsUp && seen > 0 ? copyBeforeMigration(writer, file, seen, Date.now()) : undefined;
  try {
    for (const [index, step] of migrations.entries()) {
      if (index < seen) continue;
      writer.run('BEGIN IMMEDIATE');
      writer.script(step);
      writer.script(`PRAGMA user_version = ${index + 1}`);
      writer.run('COMMIT');
    }
  } finally {
    // Forgets the copy only if a step was applied. Otherwise, the next start can reuse the copy.
    if (copy && schemaOf(writer) !== seen) {
      place.backedUp?.(copy);
      forgetCopy(file);
    }
  }
};

// Called if the WAL is missing, for example because someone deleted the WAL while the database was open. If a
// checkpoint was running at the time, the database is damaged, too.
const reportMissingLog = (sole: SqliteConnection, { path, file, logMissing }: Place): void => {
  const { quick_check: found } = sole.one('PRAGMA quick_check(1)', []) as { quick_check: string };
  const missing = `${file}-wal is missing, although the last process did not shut down cleanly`;
  if (found !== 'ok') throw new DatabaseUnusable(`${missing}, and ${path} is damaged: ${adviseRestore(file)}`);
  logMissing?.(
    `${missing}: if someone deleted that file, the last acknowledged writes are lost; compare ${path} with your ` +
      'backups. If another program, such as the sqlite3 shell, removed that file when it closed the database, no writes are lost',
  );
};

const prepare = (sole: SqliteConnection, place: Place): void => {
  const { file } = place;
  // This check must come before the first read, because the first read creates a new WAL.
  const isMissing = isLogMissing(file);
  // If this start fails, closing the file removes the empty WAL. The next start must not report that WAL as missing.
  if (!isMissing && logSize(file) === 0) unmarkOpen(file);
  lockExclusively(sole, place);
  if (isMissing) reportMissingLog(sole, place);
  unmarkOpen(file);
  secureLog(sole, place);
  configure(sole, place.path);
  if (place.use !== 'move here' && isMoveTarget(sole)) refuseUnfinishedMove(place.path);
  migrate(sole, place);
  claim(sole, place);
  sole.script('PRAGMA wal_checkpoint(TRUNCATE)');
};

// With `synchronous = NORMAL`, a commit returns before its data is on disk. `sync.ts` syncs before the response.
// `temp_store = MEMORY` is safe here, because migrations, which may sort a whole table, use another connection.
const WRITER = `PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA wal_autocheckpoint = 0;
  PRAGMA temp_store = MEMORY`;
const READER = 'PRAGMA query_only = ON';

const connect = (file: string, health: Health, settings: string): SqliteConnection => {
  const connection = connectSqlite(file, health.fail);
  connection.script(`${settings}; PRAGMA busy_timeout = ${BUSY_MS}; PRAGMA cache_size = -${CACHE_KIB}`);
  return connection;
};

/**
 * Keeps connections from being garbage-collected. Otherwise, they would be closed, and closing the last connection
 * would run a checkpoint, which is not safe after a failed sync. @internal
 */
export const OPEN = new Set<SqliteConnection>();

const explain = (error: unknown, path: string): DatabaseUnusable => {
  const advice = isDamaged(error) ? `; ${adviseRestore(path)}` : explainAccess(path);
  const room = isOutOfSpace(error, path) ? '; free up space on its file system, then start the service again' : '';
  return asUnusable(error, `cannot use the database ${path}`, `${advice}${room}`);
};

const USER_VERSION_AT = 60;
const APPLICATION_ID_AT = 68;

/**
 * Reads only the file's header, because opening the database could run a checkpoint. If the service was killed during
 * its first start, the header may exist only in the WAL.
 */
export const planSqliteMigrations = (path: string, migrations = MIGRATIONS) => {
  try {
    // Without permission to list the folder, `statSync` throws, so an existing database never counts as missing.
    if (!statSync(path, { throwIfNoEntry: false })) return planMigrations(path, 0, migrations);
    const header = readHeader(path);
    const [id, seen] = [BigInt(header.readUInt32BE(APPLICATION_ID_AT)), header.readUInt32BE(USER_VERSION_AT)];
    const isOurs = id === APPLICATION_ID;
    const isEmpty = header.every((byte) => byte === 0) || logSize(path) > 0;
    if (!isOurs && (seen > 0 || !isEmpty)) throw foreign(path, id);
    return planMigrations(path, isOurs ? seen : 0, migrations);
  } catch (error) {
    throw explain(error, path);
  }
};

export const openSqliteFile = (
  path: string,
  environment: Environment,
  { health = createHealth(() => undefined), ...options }: OpenOptions = {},
) => {
  const opened: SqliteConnection[] = [];
  const track = (connection: SqliteConnection): SqliteConnection => {
    opened.push(connection);
    OPEN.add(connection);
    return connection;
  };
  const closeFrom = (first: number) => {
    for (const connection of opened.splice(first).reverse()) {
      connection.close();
      OPEN.delete(connection);
    }
  };
  let file = path;
  try {
    file = fileAt(path);
    track(lockDatabase(file));
    prepare(track(connectSqlite(file)), { ...options, path, file, environment });
    closeFrom(1);
    const writer = track(connect(file, health, WRITER));
    // This first read creates the WAL.
    writer.one('SELECT 1 FROM sqlite_schema LIMIT 1', []);
    const reader = track(connect(file, health, READER));
    const unmark = markOpen(file, health);
    const close = () => {
      unmark();
      closeFrom(0);
    };
    return { writer, reader, file, close };
  } catch (error) {
    if (mustLeaveOpen(error, file)) health.fail(error);
    else closeFrom(0);
    throw explain(error, path);
  }
};

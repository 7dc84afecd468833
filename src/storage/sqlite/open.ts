import { closeSync, openSync, readSync, statSync } from 'node:fs';
import type { Environment } from '../../kernel/environment.ts';
import { type MigrationPlan, planMigrations, refuseNewer } from '../migration-plan.ts';
import { DatabaseUnusable } from '../unusable.ts';
import { copyBeforeMigration, forgetCopy } from './backup/migration-copy.ts';
import { requestYield } from './backup/yield.ts';
import { connectSqlite, isBusy, isDamaged, isUnsynced, type SqliteConnection } from './connection.ts';
import { adviseRestore, fileAt, isLogMissing, logSize, markOpen, unmarkOpen } from './files.ts';
import { createHealth, type Health } from './health.ts';
import { lockDatabase } from './lock.ts';
import { MIGRATIONS } from './migrations.ts';
import { explainAccess } from './owner.ts';
import { isOutOfSpace } from './space.ts';
import { rewriteWal } from './wal.ts';

/** Earlier versions can corrupt a file in WAL mode. */
const OLDEST_SQLITE = [3, 51, 3] as const;

/** Marks a file as ours: "pets" in ASCII. */
const APPLICATION_ID = 0x70657473n;

/** The wait for an operator's own tool on the same file. It stands still with the whole process: longer waits are tried again. */
const BUSY_MS = 10;

/** At the start nobody else may have the file open. A shell that is about to end is waited for. */
const LOCK_MS = 1000;
/** A backup of ours that reads it is asked to let go, and on a busy machine may hear of that late. */
const YIELD_MS = 15_000;

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

/**
 * Keeps everyone else out until the connection is closed. Every process that has a file open in WAL mode holds a lock on
 * the file itself: whatever name it has used, and whatever became of the lock beside it. The log must not be touched while one has.
 */
const lockExclusively = (sole: SqliteConnection, { path, file }: Pick<Place, 'path' | 'file'>): void => {
  const patienceMs = requestYield(file) ? YIELD_MS : LOCK_MS;
  sole.script(`PRAGMA locking_mode = EXCLUSIVE; PRAGMA busy_timeout = ${patienceMs}`);
  try {
    sole.one('SELECT 1 FROM sqlite_schema LIMIT 1', []);
  } catch (error) {
    if (!isBusy(error)) throw error;
    throw new DatabaseUnusable(
      `${path} is in use by another program: stop the other petstore process, or end the backup or shell that has it open`,
      { cause: error },
    );
  }
};

type Place = {
  path: string;
  file: string;
  environment: Environment;
  migrations: readonly string[];
  backsUp: boolean;
  backedUp: (copy: string) => void;
  logMissing: (message: string) => void;
  syncLog: ((file: number) => void) | undefined;
};

class LogUnsafe extends Error {}

/**
 * What a process left in the log when it was killed, or when a sync failed, may not be on disk although it can be read:
 * that is seen to before any of it is brought to its place, or a loss of power meanwhile would leave half of it there.
 */
const secureLog = (sole: SqliteConnection, { file, syncLog }: Place): void => {
  if (logSize(file) === 0) return;
  try {
    const frames = rewriteWal(`${file}-wal`, syncLog);
    const { log } = sole.one('PRAGMA wal_checkpoint(NOOP)', []) as { log: bigint };
    if (Number(log) !== frames) throw new Error(`it had ${log} whole pages, and then ${frames}`);
  } catch (error) {
    throw new LogUnsafe(`its log cannot be brought to the disk: ${(error as Error).message}`);
  }
};

/** Whether it is better to leave the file and its log as they are, for a start on a better disk. */
const mustLeaveOpen = (error: unknown, file: string): boolean =>
  (error instanceof LogUnsafe || isUnsynced(error) || isDamaged(error)) && logSize(file) > 0;

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
    `PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA cache_size = -${CACHE_KIB};
     PRAGMA wal_autocheckpoint = 0`,
  );
  // Setting it again is a write, after which the copy before a migration could not be reused.
  if (!isOurs) writer.script(`PRAGMA application_id = ${APPLICATION_ID}`);
};

/** Production and staging keys must never meet in one file. */
const claim = (writer: SqliteConnection, { path, environment }: Place): void => {
  const claimed = writer.one('SELECT environment FROM deployment', []) as { environment: string } | undefined;
  if (!claimed) writer.run('INSERT INTO deployment (environment) VALUES ($1)', [environment]);
  else if (claimed.environment !== environment) {
    throw new DatabaseUnusable(
      `${path} is a ${claimed.environment} database, but PETSTORE_ENVIRONMENT is ${environment}`,
    );
  }
};

const schemaOf = (writer: SqliteConnection): number => Number(pragma(writer, 'user_version'));

const runSteps = (writer: SqliteConnection, seen: number, migrations: readonly string[]): void => {
  for (const [index, step] of migrations.entries()) {
    if (index < seen) continue;
    writer.begin();
    writer.script(step);
    writer.script(`PRAGMA user_version = ${index + 1}`);
    writer.commit();
  }
};

const migrate = (writer: SqliteConnection, place: Place): void => {
  const { path, file, migrations, backsUp, backedUp } = place;
  const seen = schemaOf(writer);
  refuseNewer(path, seen, migrations.length);
  if (seen === migrations.length) return;
  // A start with the wrong settings changes nothing.
  if (seen > 0) claim(writer, place);
  const copy = backsUp && seen > 0 ? copyBeforeMigration(writer, file, seen, Date.now()) : undefined;
  try {
    runSteps(writer, seen, migrations);
  } finally {
    // The next start finds the copy by its note.
    if (copy && schemaOf(writer) !== seen) {
      backedUp(copy);
      forgetCopy(file);
    }
  }
};

/**
 * Reports a log that was deleted while a process had the file open. Writes that were only in it are lost, and an
 * interrupted checkpoint leaves a damaged file.
 */
const reportMissingLog = (sole: SqliteConnection, { path, file, logMissing }: Place): void => {
  const { quick_check: found } = sole.one('PRAGMA quick_check(1)', []) as { quick_check: string };
  const missing = `${file}-wal is missing although the last process did not close ${path}`;
  if (found !== 'ok') throw new DatabaseUnusable(`${missing}, and the file is damaged: ${adviseRestore(file)}`);
  logMissing(
    `${missing}: if someone deleted it, the last acknowledged writes are lost; compare with your backups. ` +
      'If another program opened the file since, such as the sqlite3 shell, it has saved them',
  );
};

/** Whatever is left to be done with the file before it is served, by one connection that has it alone. */
const prepare = (sole: SqliteConnection, place: Place): void => {
  const { path, file } = place;
  // The first read makes a new log.
  const isMissing = isLogMissing(file);
  // A start that is refused removes an empty log when it closes the file: that log is not missing afterwards.
  if (!isMissing && logSize(file) === 0) unmarkOpen(file);
  lockExclusively(sole, place);
  if (isMissing) reportMissingLog(sole, place);
  unmarkOpen(file);
  secureLog(sole, place);
  configure(sole, path);
  migrate(sole, place);
  claim(sole, place);
  sole.script('PRAGMA wal_checkpoint(TRUNCATE)');
};

/** From here on a commit returns before it is on disk, and `sqlite.sync.ts` sees to the rest. */
const connectWriter = (file: string, health: Health): SqliteConnection => {
  const writer = connectSqlite(file, health.fail);
  // Savepoints are kept in memory; a migration that sorts a whole table is not.
  writer.script(
    `PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA busy_timeout = ${BUSY_MS};
     PRAGMA cache_size = -${CACHE_KIB}; PRAGMA wal_autocheckpoint = 0; PRAGMA temp_store = MEMORY`,
  );
  // The log is made with the first read.
  writer.one('SELECT 1 FROM sqlite_schema LIMIT 1', []);
  return writer;
};

const connectReader = (file: string, health: Health): SqliteConnection => {
  const reader = connectSqlite(file, health.fail);
  reader.script(`PRAGMA query_only = ON; PRAGMA busy_timeout = ${BUSY_MS}; PRAGMA cache_size = -${CACHE_KIB}`);
  return reader;
};

/**
 * The runtime closes what nothing refers to any more. To close the last connection to a file is to bring its log to its
 * place, which is to be done by us alone.
 * @internal
 */
export const OPEN = new Set<SqliteConnection>();

const explain = (error: unknown, path: string): DatabaseUnusable => {
  if (error instanceof DatabaseUnusable) return error;
  const cause = error instanceof Error ? ((error.cause as Error | undefined) ?? error) : error;
  const advice = isDamaged(cause) ? `; ${adviseRestore(path)}` : explainAccess(path);
  const reason = cause instanceof Error ? cause.message : cause;
  const room = isOutOfSpace(cause, path) ? '; free space on its file system, then start the service again' : '';
  return new DatabaseUnusable(`cannot use the database ${path}: ${reason}${advice}${room}`, { cause });
};

type Options = {
  migrations?: readonly string[];
  /** Whether a file that is to be migrated is copied first, and who is told of the copy. */
  backsUp?: boolean | undefined;
  backedUp?: ((copy: string) => void) | undefined;
  /** Called if the log was deleted while the last process had the file open. */
  logMissing?: ((message: string) => void) | undefined;
  health?: Health;
  /** For tests: a disk as it is wanted. */
  syncLog?: (file: number) => void;
};

/** Where the header of a file has its marks. */
const USER_VERSION_AT = 60;
const APPLICATION_ID_AT = 68;

const readHeader = (path: string): Buffer => {
  const header = Buffer.alloc(100);
  try {
    const opened = openSync(path, 'r');
    try {
      readSync(opened, header);
    } finally {
      closeSync(opened);
    }
  } catch (error) {
    throw explain(error, path);
  }
  return header;
};

/** Throws where this user may not look into the folder: the file may well be there. */
const isThere = (path: string): boolean => {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    throw explain(error, path);
  }
};

/**
 * What a start would do, from the header alone: to open the file as a database could bring its log to its place. After a
 * start the header is in the file, whatever is in the log; a first start that was killed may have left it there.
 */
export const planSqliteMigrations = (path: string, migrations = MIGRATIONS): MigrationPlan => {
  if (!isThere(path)) return planMigrations(path, 0, migrations);
  const header = readHeader(path);
  const isOurs = BigInt(header.readUInt32BE(APPLICATION_ID_AT)) === APPLICATION_ID;
  const isEmpty = header.every((byte) => byte === 0) || logSize(path) > 0;
  if (!isOurs && !isEmpty) throw new DatabaseUnusable(`${path} is no database of petstore`);
  return planMigrations(path, isOurs ? header.readUInt32BE(USER_VERSION_AT) : 0, migrations);
};

/** Opens, locks, checks and migrates the file. Whatever is wrong with it is said in one sentence. */
export const openSqliteFile = (
  path: string,
  environment: Environment,
  { migrations = MIGRATIONS, backsUp = true, backedUp = () => undefined, ...options }: Options = {},
) => {
  const { health = createHealth(() => undefined), syncLog, logMissing = () => undefined } = options;
  const opened: SqliteConnection[] = [];
  const open = (connect: () => SqliteConnection): SqliteConnection => {
    const connection = connect();
    opened.push(connection);
    OPEN.add(connection);
    return connection;
  };
  const closeLast = () => {
    const connection = opened.pop() as SqliteConnection;
    connection.close();
    OPEN.delete(connection);
  };
  const close = () => {
    while (opened.length > 0) closeLast();
  };
  let file = path;
  try {
    file = fileAt(path);
    open(() => lockDatabase(file));
    prepare(
      open(() => connectSqlite(file)),
      { path, file, environment, migrations, backsUp, backedUp, logMissing, syncLog },
    );
    closeLast();
    const writer = open(() => connectWriter(file, health));
    const reader = open(() => connectReader(file, health));
    const unmark = markOpen(file, health.isBroken);
    const closeMarked = () => {
      unmark();
      close();
    };
    return { writer, reader, file, close: closeMarked };
  } catch (error) {
    if (mustLeaveOpen(error, file)) health.fail(error);
    else close();
    throw explain(error, path);
  }
};

import type { Environment } from '../kernel/contract.ts';
import type { Finding } from '../kernel/finding.ts';
import { systemClock, tryTo } from '../kernel/runtime.ts';
import type { Compared, MoveWatch } from './move/move.ts';
import type { BackupFacts } from './sqlite/backup/manifest.ts';
import type { BackupOrder } from './sqlite/backup/online-backup.ts';
import { ADVICE_TO_CREATE, DatabaseUnusable } from './unusable.ts';

export type { BackupFacts, Compared };

type Settings = {
  DATABASE_URL: { engine: 'sqlite'; path: string } | { engine: 'postgres'; url: string };
  PETSTORE_READ_URL?: string | undefined;
  PETSTORE_ENVIRONMENT: Environment;
  PETSTORE_DATABASE_TIMEOUT_MS: number;
  PETSTORE_DATABASE_CONNECTIONS: number;
  PETSTORE_BACKUP_BEFORE_MIGRATION: boolean;
  PETSTORE_CREATE: boolean;
};

/** The commands show `$DATABASE_URL` instead of its value, because the value contains the password. */
const POSTGRES_TOOLS = {
  backup: (file: string) =>
    `use PostgreSQL's own tools for this backup: (umask 077; pg_dump --format=custom --file="${file}" "$DATABASE_URL"), ` +
    'or, for a large database, pg_basebackup with archived WAL',
  restore: (file: string) =>
    "use PostgreSQL's own tools to restore into an empty database: pg_restore --no-owner --exit-on-error " +
    `--single-transaction --dbname="$DATABASE_URL" "${file}"`,
};

const sqlitePath = ({ DATABASE_URL: place }: Settings, what: keyof typeof POSTGRES_TOOLS, file: string): string => {
  if (place.engine === 'sqlite') return place.path;
  throw new DatabaseUnusable(POSTGRES_TOOLS[what](file));
};

const placeOf = (settings: Settings) => ({
  ...settings.DATABASE_URL,
  environment: settings.PETSTORE_ENVIRONMENT,
  timeoutMs: settings.PETSTORE_DATABASE_TIMEOUT_MS,
});

export const backUp = async (settings: Settings, to: string, watch: Pick<BackupOrder, 'tell' | 'signal'>) => {
  const path = sqlitePath(settings, 'backup', to);
  const { backUpOnline, noteBackup } = await import('./sqlite/backup/online-backup.ts');
  const made = await backUpOnline({ path, to, clock: systemClock, ...watch });
  noteBackup(path, made.facts.madeAt);
  return made;
};

export const isSourceChecked = async (path: string): Promise<boolean> => {
  const { readManifest } = await import('./sqlite/backup/manifest.ts');
  return tryTo(() => readManifest(path).isSourceChecked) ?? false;
};

type Tell = (doneBytes: number, totalBytes: number) => void;

export const restore = async (settings: Settings, from: string, isDryRun: boolean, tell: Tell) => {
  const path = sqlitePath(settings, 'restore', from);
  const { checkBackup, restoreSqlite } = await import('./sqlite/backup/restore.ts');
  return (isDryRun ? checkBackup : restoreSqlite)({ from, path, environment: settings.PETSTORE_ENVIRONMENT, tell });
};

export const move = async (from: Settings, to: Settings, watch: MoveWatch): Promise<Compared[]> => {
  const [source, target] = [placeOf(from), placeOf(to)];
  const { moveRows } = await import('./move/move.ts');
  const sqlite = await import('./move/sqlite.ts');
  const postgres = await import('./move/postgres.ts');
  if (source.engine === 'sqlite' && target.engine === 'postgres') {
    const openSource = () => sqlite.openSqliteSource(source);
    return moveRows(openSource, () => postgres.openPostgresTarget(target), watch);
  }
  if (source.engine === 'postgres' && target.engine === 'sqlite') {
    const openTarget = () => sqlite.openSqliteTarget(target);
    return moveRows(() => postgres.openPostgresSource(source), openTarget, watch);
  }
  throw new DatabaseUnusable(
    'petstore move works only from SQLite to PostgreSQL, or from PostgreSQL to SQLite; check that DATABASE_URL is set; to copy an SQLite file, use petstore backup; for PostgreSQL, use pg_dump',
  );
};

export const planMigrations = async (settings: Settings) => {
  const place = placeOf(settings);
  const plan =
    place.engine === 'sqlite'
      ? (await import('./sqlite/open.ts')).planSqliteMigrations(place.path)
      : await (await import('./postgres/open.ts')).planPostgresMigrations(place);
  if (plan.seen > 0 || settings.PETSTORE_CREATE) return plan;
  throw new DatabaseUnusable(
    `${place.engine === 'sqlite' ? place.path : 'the server'} has no petstore database, and PETSTORE_CREATE=false prevents ` +
      `petstore from creating one; ${ADVICE_TO_CREATE}`,
  );
};

export const migrate = async (settings: Settings): Promise<{ copy?: string; warning?: string }> => {
  const place = placeOf(settings);
  const done: { copy?: string; warning?: string } = {};
  if (place.engine === 'sqlite') {
    const { openSqliteFile } = await import('./sqlite/open.ts');
    openSqliteFile(place.path, place.environment, {
      backsUp: settings.PETSTORE_BACKUP_BEFORE_MIGRATION,
      backedUp: (copy) => Object.assign(done, { copy }),
      logMissing: (warning) => Object.assign(done, { warning }),
    }).close();
  } else {
    await (await import('./postgres/open.ts')).openPostgresServer(place);
  }
  return done;
};

export const diagnoseDatabase = async (settings: Settings): Promise<Finding[]> => {
  const [place, mayCreate] = [placeOf(settings), settings.PETSTORE_CREATE];
  if (place.engine === 'sqlite')
    return (await import('./sqlite/integrity/diagnose.ts')).diagnoseSqlite(place.path, place.environment, mayCreate);
  const { PETSTORE_READ_URL: readUrl, PETSTORE_DATABASE_CONNECTIONS: connections } = settings;
  return (await import('./postgres/diagnose.ts')).diagnosePostgres({ ...place, readUrl, connections, mayCreate });
};

import type { Config } from '../config.ts';
import { systemClock } from '../kernel/clock.ts';
import type { BackupFacts } from '../storage/sqlite/backup/manifest.ts';
import type { BackupProgress } from '../storage/sqlite/backup/online-backup.ts';
import { DatabaseUnusable } from '../storage/unusable.ts';

export type { BackupFacts };

/** What is said of a server, whose own tools do it better. `$DATABASE_URL` keeps the password off the screen. */
const POSTGRES_TOOLS = {
  backup: (file: string) =>
    `a PostgreSQL database is backed up with its own tools, under umask 077: pg_dump --format=custom --file="${file}" ` +
    '"$DATABASE_URL" for all of it, pg_basebackup with archived WAL for large ones',
  restore: (file: string) =>
    'a PostgreSQL database is restored with its own tools, into an empty one: pg_restore --no-owner --exit-on-error ' +
    `--single-transaction --dbname="$DATABASE_URL" "${file}"`,
};

/** The path of the file, where there is one. */
const fileOf = (place: Config['DATABASE_URL'], what: keyof typeof POSTGRES_TOOLS, file: string): string => {
  if (place.engine === 'sqlite') return place.path;
  throw new DatabaseUnusable(POSTGRES_TOOLS[what](file));
};

type Watch = { tell(progress: BackupProgress): void; signal: AbortSignal };

/** Backs a database up, whether or not it is in use. */
export const backUp = async (config: Config, to: string, watch: Watch) => {
  const path = fileOf(config.DATABASE_URL, 'backup', to);
  const { backUpOnline, noteBackup } = await import('../storage/sqlite/backup/online-backup.ts');
  const made = await backUpOnline({ path, to, clock: systemClock, ...watch });
  noteBackup(path, made.facts.madeAt);
  return made;
};

/** Whether the source of a backup passed the check; false for those of earlier versions and for damaged ones. */
export const isSourceChecked = async (path: string): Promise<boolean> => {
  const { readManifest } = await import('../storage/sqlite/backup/manifest.ts');
  try {
    return readManifest(path).isSourceChecked;
  } catch {
    return false;
  }
};

type Tell = (doneBytes: number, totalBytes: number) => void;

/** Makes a database of a backup, where none is; or only tells whether that would be done. */
export const restore = async (config: Config, from: string, isDryRun: boolean, tell: Tell): Promise<BackupFacts> => {
  const path = fileOf(config.DATABASE_URL, 'restore', from);
  const { checkBackup, restoreSqlite } = await import('../storage/sqlite/backup/restore.ts');
  return (isDryRun ? checkBackup : restoreSqlite)({ from, path, environment: config.PETSTORE_ENVIRONMENT, tell });
};

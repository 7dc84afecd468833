import type { Config } from '../config.ts';
import type { MigrationPlan } from '../storage/unusable.ts';

/** What a start with these settings would do to the schema; it is not touched. */
export const planMigrations = async (config: Config): Promise<MigrationPlan> => {
  const place = config.DATABASE_URL;
  if (place.engine === 'sqlite') return (await import('../storage/sqlite/open.ts')).planSqliteMigrations(place.path);
  const { planPostgresMigrations } = await import('../storage/postgres/open.ts');
  return planPostgresMigrations({ url: place.url, timeoutMs: config.PETSTORE_DATABASE_TIMEOUT_MS });
};

/** Brings the schema up to date, as a start does, and serves nothing. Returns the name of the copy, and what else to report. */
export const migrate = async (config: Config): Promise<{ copy?: string; warning?: string }> => {
  const { DATABASE_URL: place, PETSTORE_ENVIRONMENT: environment } = config;
  if (place.engine === 'sqlite') {
    const { openSqliteFile } = await import('../storage/sqlite/open.ts');
    const done: { copy?: string; warning?: string } = {};
    openSqliteFile(place.path, environment, {
      backsUp: config.PETSTORE_BACKUP_BEFORE_MIGRATION,
      backedUp: (copy) => {
        done.copy = copy;
      },
      logMissing: (message) => {
        done.warning = message;
      },
    }).close();
    return done;
  }
  const { openPostgresServer } = await import('../storage/postgres/open.ts');
  await openPostgresServer({ url: place.url, environment, timeoutMs: config.PETSTORE_DATABASE_TIMEOUT_MS });
  return {};
};

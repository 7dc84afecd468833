import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { isDamaged, isUnsynced, type SqliteConnection } from './sqlite.connection.ts';
import { syncFolder } from './sqlite.files.ts';
import { DatabaseUnusable } from './unusable.ts';

/** `pets.db` of schema 3 is kept as `pets.db.schema-3.20261116T030405Z`. */
const backupName = (file: string, schema: number, now: number): string =>
  `${file}.schema-${schema}.${new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, '')}`;

const syncFile = (path: string): void => {
  const opened = openSync(path, 'r+');
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
};

/**
 * Writes a copy of the whole database beside it, and returns its name once it is on disk. Until it is whole it has a name
 * of its own, always the same one: whatever breaks off, and however often, leaves at most one.
 */
export const backUp = (connection: SqliteConnection, file: string, schema: number, now: number): string => {
  const unfinished = `${file}.copying`;
  rmSync(unfinished, { force: true });
  try {
    connection.run('VACUUM INTO $1', [unfinished]);
    syncFile(unfinished);
    const copy = backupName(file, schema, now);
    renameSync(unfinished, copy);
    syncFolder(dirname(copy));
    return copy;
  } catch (error) {
    rmSync(unfinished, { force: true });
    if (isDamaged(error) || isUnsynced(error)) throw error;
    const cause = (error as Error).cause ?? error;
    throw new DatabaseUnusable(
      `${file} has to be migrated, and no copy of it can be written beside it first: ${(cause as Error).message}; ` +
        'make room for one, or set PETSTORE_BACKUP_BEFORE_MIGRATION=false if you have a backup of your own',
      { cause: error },
    );
  }
};

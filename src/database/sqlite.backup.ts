import { spellInstant } from '../kernel/clock.ts';
import { isDamaged, isUnsynced, type SqliteConnection } from './sqlite.connection.ts';
import { putInPlace, removeUnfinished } from './sqlite.files.ts';
import { sealCopy } from './sqlite.seal.ts';
import { DatabaseUnusable } from './unusable.ts';

/** `pets.db` of schema 3 is kept as `pets.db.schema-3.20261116T030405Z`. */
const backupName = (file: string, schema: number, now: number): string =>
  `${file}.schema-${schema}.${spellInstant(now)}`;

/**
 * Writes a sealed copy of the whole database beside it, and returns its name once it is on disk. Until it is whole it has a name
 * of its own, always the same one: whatever breaks off, and however often, leaves at most one.
 */
export const backUp = (connection: SqliteConnection, file: string, schema: number, now: number): string => {
  const unfinished = `${file}.copying`;
  removeUnfinished(unfinished);
  try {
    connection.run('VACUUM INTO $1', [unfinished]);
    sealCopy(unfinished, now);
    const copy = backupName(file, schema, now);
    putInPlace(unfinished, copy);
    return copy;
  } catch (error) {
    removeUnfinished(unfinished);
    if (isDamaged(error) || isUnsynced(error)) throw error;
    const cause = (error as Error).cause ?? error;
    throw new DatabaseUnusable(
      `${file} has to be migrated, and no copy of it can be written beside it first: ${(cause as Error).message}; ` +
        'make room for one, or set PETSTORE_BACKUP_BEFORE_MIGRATION=false if you have a backup of your own',
      { cause: error },
    );
  }
};

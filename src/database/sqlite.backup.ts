import { closeSync, fsyncSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import type { SqliteConnection } from './sqlite.connection.ts';
import { syncFolder } from './sqlite.files.ts';

/** `pets.db` of schema 3 is kept as `pets.db.schema-3.20261116T030405Z`. */
const backupName = (file: string, schema: number, now: number): string =>
  `${file}.schema-${schema}.${new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, '')}`;

/** Writes a copy of the whole database beside it, and returns its name once it is on disk. */
export const backUp = (connection: SqliteConnection, file: string, schema: number, now: number): string => {
  const copy = backupName(file, schema, now);
  connection.run('VACUUM INTO $1', [copy]);
  const opened = openSync(copy, 'r+');
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
  syncFolder(dirname(copy));
  return copy;
};

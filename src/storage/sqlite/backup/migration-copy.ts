import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { formatFileTime, tryTo } from '../../../kernel/runtime.ts';
import { asUnusable } from '../../unusable.ts';
import { isDamaged, isUnsynced, type SqliteConnection } from '../connection.ts';
import { makeFile, openFile, putInPlace, removeWithJournal } from '../files.ts';
import { hashFile, readManifest, writeManifest } from './manifest.ts';

const copiesOf = (copy: string): string[] => {
  const prefix = basename(copy).slice(0, basename(copy).lastIndexOf('.') + 1);
  const isCopy = (name: string) => name.startsWith(prefix) && /^\d{8}T\d{6}Z$/.test(name.slice(prefix.length));
  const names = readdirSync(dirname(copy)).filter(isCopy).sort().reverse();
  return names.map((name) => join(dirname(copy), name));
};

/** An unfinished copy always has the same name, so that interrupted attempts leave at most one file behind. */
const backUp = (connection: SqliteConnection, file: string, schema: number, now: number): string => {
  const unfinished = `${file}.copying`;
  removeWithJournal(unfinished);
  try {
    connection.run('VACUUM INTO $1', [unfinished]);
    writeManifest(unfinished, now);
    const copy = `${file}.schema-${schema}.${formatFileTime(now)}`;
    const [last = copy, ...older] = copiesOf(copy);
    // The new copy first replaces the previous copy and is then renamed, so that a complete copy exists at all times.
    putInPlace(unfinished, last);
    if (last !== copy) putInPlace(last, copy);
    for (const path of older) rmSync(path, { force: true });
    return copy;
  } catch (error) {
    removeWithJournal(unfinished);
    if (isDamaged(error) || isUnsynced(error)) throw error;
    throw asUnusable(
      error,
      `${file} cannot be migrated, because its backup copy could not be written`,
      '; make room for the copy on the disk, or set PETSTORE_BACKUP_BEFORE_MIGRATION=false if you have your own backup',
    );
  }
};

const noteOf = (file: string): string => `${file}.migrating`;

// The result changes with every write to the file. Call this function only while the WAL is empty and no process is
// writing.
const stateOf = (file: string): string => {
  const { ino, size, mtimeNs, ctimeNs } = statSync(file, { bigint: true });
  return `${ino} ${size} ${mtimeNs} ${ctimeNs}`;
};

const isWhole = (copy: string): boolean => {
  const { digest } = readManifest(copy);
  using file = openFile(copy, 'r');
  return Buffer.compare(hashFile(file.fd, digest).sum, digest) === 0;
};

const findCopy = (file: string): string | undefined =>
  tryTo(() => {
    const [state, name = ''] = readFileSync(noteOf(file), 'utf8').split('\n');
    const copy = join(dirname(file), basename(name));
    return state === stateOf(file) && isWhole(copy) ? copy : undefined;
  });

export const copyBeforeMigration = (connection: SqliteConnection, file: string, schema: number, now: number) => {
  connection.script('PRAGMA wal_checkpoint(TRUNCATE)');
  const found = findCopy(file);
  if (found) return found;
  const copy = backUp(connection, file, schema, now);
  makeFile(noteOf(file), `${stateOf(file)}\n${basename(copy)}`);
  return copy;
};

export const forgetCopy = (file: string): void => rmSync(noteOf(file), { force: true });

import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseUnusable } from '../unusable.ts';
import { inheritOwner } from './owner.ts';

export const openFile = (path: string, flags: string | number, mode?: number) => {
  const fd = openSync(path, flags, mode);
  return { fd, [Symbol.dispose]: () => closeSync(fd) };
};

/** Writes all bytes or throws. On a full disk, the system may write only some of the bytes and still report success. */
export const writeWhole = (file: number, bytes: Uint8Array, at: number | null = null): void => {
  const written = writeSync(file, bytes, 0, bytes.length, at);
  if (written !== bytes.length) throw new Error(`the disk accepted only ${written} of ${bytes.length} bytes`);
};

/**
 * Syncs a closed file or a folder. A new name in a folder survives a power loss only after the folder is synced.
 * Windows cannot open folders, and SQLite does not sync them there either.
 */
export const syncPath = (path: string, flags = 'r', platform = process.platform): void => {
  if (platform === 'win32' && statSync(path).isDirectory()) return;
  using file = openFile(path, flags);
  fsyncSync(file.fd);
};

/** Removes an unfinished copy and its journal. SQLite would apply a leftover journal to the next copy. */
export const removeUnfinished = (path: string): void => {
  for (const left of [path, `${path}-journal`]) rmSync(left, { force: true });
};

/** Renames a complete and synced file to its final name. Replaces any existing file. */
export const putInPlace = (unfinished: string, path: string): void => {
  inheritOwner(unfinished);
  renameSync(unfinished, path);
  syncPath(dirname(path));
};

/** Creates a folder and its missing parents. A new folder survives a power loss only after its parent is synced. */
export const makeFolder = (folder: string, sync: (folder: string) => void = syncPath): void => {
  // Windows cannot create the relative path `.`.
  const highest = mkdirSync(resolve(folder), { recursive: true });
  if (highest === undefined) return;
  const made: string[] = [];
  for (let one = resolve(folder); one.startsWith(resolve(highest)); one = dirname(one)) made.push(one);
  for (const one of made.toReversed()) inheritOwner(one);
  for (const one of made) sync(dirname(one));
};

const quote = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/**
 * Advises what to do with a database that cannot be used. Never suggests deleting anything, because some acknowledged
 * writes may be only in the WAL. The suggested `mkdir` fails if the folder exists, so that `mv` overwrites nothing.
 */
export const adviseRestore = (file: string): string => {
  const kept = quote(join(dirname(file), 'damaged'));
  return (
    `move all files ${file}* to another folder, and do not delete any of them (mkdir ${kept} && mv ${quote(file)}* ${kept}/), ` +
    `then restore a backup (petstore restore <backup> --database-url ${quote(`sqlite:${file}`)})`
  );
};

export const logSize = (file: string): number => statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;

/**
 * Reads the first 100 bytes of a database (https://sqlite.org/fileformat2.html). No connection to the database may be
 * open in this process, because closing a file releases all of the process's locks on it.
 */
export const readHeader = (file: string): Buffer => {
  const header = Buffer.alloc(100);
  using opened = openFile(file, 'r');
  readSync(opened.fd, header);
  return header;
};

/** Offset of the write version in the header. Version 1 means that the database has no WAL. */
const VERSION_AT = 18;
const WITHOUT_LOG = 1;

/** Whether the file is complete without a WAL, as after `VACUUM INTO`. A WAL next to it belongs to another database. */
const isBackup = (file: string): boolean => readHeader(file)[VERSION_AT] === WITHOUT_LOG;

/** Returns the real file behind symbolic links, which has the WAL and lock. Creates the file if it is missing. */
export const fileAt = (path: string): string => {
  makeFolder(dirname(path));
  if (!existsSync(path)) {
    if (logSize(path) > 0)
      throw new DatabaseUnusable(
        `${path} is missing, but its log ${path}-wal exists: restore the original database file; if you no longer have it, ${adviseRestore(path)}`,
      );
    closeSync(openSync(path, 'a'));
    inheritOwner(realpathSync(path));
  }
  const file = realpathSync(path);
  const found = statSync(file);
  // SQLite treats an empty file as a new database, and would remove its WAL.
  if (found.size === 0 && logSize(file) > 0)
    throw new DatabaseUnusable(
      `${path} is empty, but its log ${file}-wal is not: restore the original database file; if you no longer have it, ${adviseRestore(file)}`,
    );
  if (found.isFile() && logSize(file) > 0 && isBackup(file))
    throw new DatabaseUnusable(
      `${path} is a backup copy, but ${file}-wal is the log of another file: ${adviseRestore(file)}`,
    );
  if (found.isFile() && found.nlink > 1)
    throw new DatabaseUnusable(
      `${path} has a second name (a hard link), but SQLite keeps the log next to the name that was opened; remove one of the two names`,
    );
  return file;
};

/** Creates or replaces a small file. Does not follow links, because a link could make root write to any other file. */
export const makeFile = (path: string, text: string): void => {
  rmSync(path, { force: true });
  writeFileSync(path, text, { flag: 'wx' });
  inheritOwner(path);
};

/** A file that exists while a process has the database open. If it exists without a WAL, the WAL was deleted. */
const openMarkOf = (file: string): string => `${file}.open`;

/** Removes the "open" mark. This must be on disk before the last connection closes and SQLite removes the WAL. */
export const unmarkOpen = (file: string): void => {
  if (!existsSync(openMarkOf(file))) return;
  rmSync(openMarkOf(file), { force: true });
  syncPath(dirname(file));
};

/** Marks the database as open, once it has a WAL. The returned function removes the mark; call it before closing. */
export const markOpen = (file: string, health: { readonly failure: unknown }): (() => void) => {
  syncPath(dirname(file));
  try {
    makeFile(openMarkOf(file), '');
  } catch {
    // On a full disk, the mark cannot be created, but reads still work. A deleted WAL will then go unnoticed.
  }
  syncPath(dirname(file));
  // When the process exits, the runtime closes all files, and SQLite removes the WAL. The mark must be removed first.
  const atExit = (): void => {
    if (!health.failure && existsSync(`${file}-wal`)) unmarkOpen(file);
  };
  process.once('exit', atExit);
  return () => {
    process.off('exit', atExit);
    unmarkOpen(file);
  };
};

/** Checks twice, because a process that closes the database in between removes first the mark and then the WAL. */
const isLogGone = (file: string): boolean =>
  existsSync(openMarkOf(file)) && !existsSync(`${file}-wal`) && existsSync(openMarkOf(file));

/** Whether the last process did not close the database and its WAL is gone. A restored copy needs no WAL. */
export const isLogMissing = (file: string): boolean =>
  ((statSync(openMarkOf(file), { throwIfNoEntry: false })?.size ?? 0) > 0 || isLogGone(file)) && !isBackup(file);

/** Records in the mark that the WAL is missing. Must be called before a backup opens the database and creates one. */
export const noteMissingLog = (file: string): void => {
  try {
    if (isLogMissing(file)) makeFile(openMarkOf(file), 'the log is missing\n');
  } catch {
    // A backup is useful even if there is no space for this note.
  }
};

/** Identifies a file by its inode number, which no other file can get while this file is open. */
const identify = (path: string): string => {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev} ${ino}`;
  } catch (error) {
    return String(error);
  }
};

export const watchFiles = (paths: readonly string[], gone: (cause: Error) => void) => {
  const noted = new Map(paths.map((path) => [path, identify(path)]));
  return (): void => {
    for (const [path, file] of noted) {
      const found = identify(path);
      if (found !== file)
        gone(new Error(`${path} was removed or replaced while it was in use (found ${found}, expected ${file})`));
    }
  };
};

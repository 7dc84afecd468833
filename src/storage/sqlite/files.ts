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
import { tryTo } from '../../kernel/runtime.ts';
import { DatabaseUnusable } from '../unusable.ts';
import { inheritOwner } from './owner.ts';

export const openFile = (path: string, flags: string | number, mode?: number) => {
  const fd = openSync(path, flags, mode);
  return { fd, [Symbol.dispose]: () => closeSync(fd) };
};

/** If the disk is full, a write may store only some of the bytes without reporting an error. */
export const writeWhole = (file: number, bytes: Uint8Array, at: number | null = null): void => {
  const written = writeSync(file, bytes, 0, bytes.length, at);
  if (written !== bytes.length) throw new Error(`the disk accepted only ${written} of ${bytes.length} bytes`);
};

/** A new file or folder survives a power loss only if its parent folder is synced. Windows cannot open folders. */
export const syncPath = (path: string, flags = 'r', platform = process.platform): void => {
  if (platform === 'win32' && statSync(path).isDirectory()) return;
  using file = openFile(path, flags);
  fsyncSync(file.fd);
};

/** Removes the journal, too, because SQLite would apply it to the next copy with the same name. */
export const removeWithJournal = (path: string): void => {
  for (const left of [path, `${path}-journal`]) rmSync(left, { force: true });
};

/** Before this call, the temporary file `unfinished` must be fully written and synced. */
export const putInPlace = (unfinished: string, path: string): void => {
  inheritOwner(unfinished);
  renameSync(unfinished, path);
  syncPath(dirname(path));
};

export const makeFolder = (folder: string, sync: (folder: string) => void = syncPath): void => {
  // The path is made absolute, because Windows cannot create the relative path `.`.
  const highest = mkdirSync(resolve(folder), { recursive: true });
  if (highest === undefined) return;
  const made: string[] = [];
  for (let one = resolve(folder); one.startsWith(resolve(highest)); one = dirname(one)) made.push(one);
  for (const one of made.toReversed()) inheritOwner(one);
  for (const one of made) sync(dirname(one));
};

const quote = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/**
 * Never suggests deleting files, because some acknowledged writes may be only in the WAL. The suggested `mkdir` fails
 * if the folder exists, so `mv` cannot overwrite anything.
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
 * See https://sqlite.org/fileformat2.html for the format of the header. This process must not have a connection to the
 * database, because closing a file releases all of the process's locks on that file.
 */
export const readHeader = (file: string): Buffer => {
  const header = Buffer.alloc(100);
  using opened = openFile(file, 'r');
  readSync(opened.fd, header);
  return header;
};

/** The offset of the write version in the header. Version 1 means that the database does not use a WAL. */
const VERSION_AT = 18;
const WITHOUT_LOG = 1;

/** A copy made by `VACUUM INTO` has no WAL, so a WAL next to the copy belongs to another database. */
const isBackup = (file: string): boolean => readHeader(file)[VERSION_AT] === WITHOUT_LOG;

/** Returns the real path, because SQLite keeps the WAL and the lock next to the real file. */
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
  // SQLite would treat an empty file as a new database and delete the WAL next to it.
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
      `${path} has a second name (a hard link), and SQLite uses a different log file for each name, so writes could be lost; remove one of the two names`,
    );
  return file;
};

/** Does not follow links, because an attacker could use a link to make root overwrite any file. */
export const makeFile = (path: string, text: string): void => {
  rmSync(path, { force: true });
  writeFileSync(path, text, { flag: 'wx' });
  inheritOwner(path);
};

/** This file exists while a process has the database open. If it exists without a WAL, someone has deleted the WAL. */
const openMarkOf = (file: string): string => `${file}.open`;

/** Call this before closing the last connection, because SQLite removes the WAL when that connection closes. */
export const unmarkOpen = (file: string): void => {
  if (!existsSync(openMarkOf(file))) return;
  rmSync(openMarkOf(file), { force: true });
  syncPath(dirname(file));
};

/** The WAL must already exist. Call the returned function before closing the database. */
export const markOpen = (file: string, health: { readonly failure: unknown }): (() => void) => {
  syncPath(dirname(file));
  // Errors are ignored, because a full disk must not prevent reads. If `.open` is absent, a deleted WAL goes unnoticed.
  tryTo(() => makeFile(openMarkOf(file), ''));
  syncPath(dirname(file));
  // When the process exits, the runtime closes all files, and SQLite removes the WAL. `.open` must be removed first.
  const atExit = (): void => {
    if (!health.failure && existsSync(`${file}-wal`)) unmarkOpen(file);
  };
  process.once('exit', atExit);
  return () => {
    process.off('exit', atExit);
    unmarkOpen(file);
  };
};

/** Checks for `.open` again at the end, because a process that closes the database removes `.open` before the WAL. */
const isLogGone = (file: string): boolean =>
  existsSync(openMarkOf(file)) && !existsSync(`${file}-wal`) && existsSync(openMarkOf(file));

/**
 * If `.open` contains text, an earlier `backup` run found that the WAL was missing. A database restored from a backup
 * has no WAL yet, so its WAL does not count as missing.
 */
export const isLogMissing = (file: string): boolean =>
  ((statSync(openMarkOf(file), { throwIfNoEntry: false })?.size ?? 0) > 0 || isLogGone(file)) && !isBackup(file);

/** Must be called before a backup opens the database, because opening the database creates a new WAL. */
export const noteMissingLog = (file: string): void => {
  // A backup is useful even if the `.open` file cannot be written because the disk is full.
  tryTo(() => isLogMissing(file) && makeFile(openMarkOf(file), 'the log is missing\n'));
};

/** The inode number identifies an open file, because no other file can get that number until the file is closed. */
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

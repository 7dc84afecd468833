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

/** Opens a file for `using`, which closes it at the end of the block. */
export const openFile = (path: string, flags: string | number, mode?: number) => {
  const fd = openSync(path, flags, mode);
  return { fd, [Symbol.dispose]: () => closeSync(fd) };
};

/** Writes all bytes or throws. On a full disk, a write may store only some bytes and still report success. */
export const writeWhole = (file: number, bytes: Uint8Array, at: number | null = null): void => {
  const written = writeSync(file, bytes, 0, bytes.length, at);
  if (written !== bytes.length) throw new Error(`the disk accepted only ${written} of ${bytes.length} bytes`);
};

/**
 * Syncs a closed file or a folder. New names in a folder survive a power loss only once the folder is synced. Windows
 * cannot open a folder, and SQLite does not sync folders there either.
 */
export const syncPath = (path: string, flags = 'r', platform = process.platform): void => {
  if (platform === 'win32' && statSync(path).isDirectory()) return;
  using file = openFile(path, flags);
  fsyncSync(file.fd);
};

/** Removes an unfinished copy and its journal, which SQLite would otherwise roll back into the next copy. */
export const removeUnfinished = (path: string): void => {
  for (const left of [path, `${path}-journal`]) rmSync(left, { force: true });
};

/** Renames a complete, synced file to its final name, replacing any existing file. */
export const putInPlace = (unfinished: string, path: string): void => {
  inheritOwner(unfinished);
  renameSync(unfinished, path);
  syncPath(dirname(path));
};

/** Creates a folder and its missing parents. Each folder survives a power loss once its parent is synced. */
export const makeFolder = (folder: string, sync: (folder: string) => void = syncPath): void => {
  // Resolved, because Windows refuses to make `.`.
  const highest = mkdirSync(resolve(folder), { recursive: true });
  if (highest === undefined) return;
  const made: string[] = [];
  for (let one = resolve(folder); one.startsWith(resolve(highest)); one = dirname(one)) made.push(one);
  for (const one of made.toReversed()) inheritOwner(one);
  for (const one of made) sync(dirname(one));
};

const quote = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/**
 * Advice for a file that cannot be used. It never recommends deleting anything, because acknowledged writes may exist
 * only in the log. `mkdir` fails if the folder exists, so that `mv` overwrites nothing.
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
 * The first 100 bytes of a database (https://sqlite.org/fileformat2.html). Closing a file releases all locks that this
 * process holds on it, so no connection may be open yet.
 */
export const readHeader = (file: string): Buffer => {
  const header = Buffer.alloc(100);
  using opened = openFile(file, 'r');
  readSync(opened.fd, header);
  return header;
};

/** The write version in the header: 1 means a file without a log. */
const VERSION_AT = 18;
const WITHOUT_LOG = 1;

/** Whether the file is complete without a log, as after `VACUUM INTO`. A log next to it belongs to another file. */
const isBackup = (file: string): boolean => readHeader(file)[VERSION_AT] === WITHOUT_LOG;

/** Resolves links to the real file, because its log and lock are next to it. Creates the file if it is missing. */
export const fileAt = (path: string): string => {
  makeFolder(dirname(path));
  if (!existsSync(path)) {
    if (logSize(path) > 0)
      throw new DatabaseUnusable(
        `${path} is missing, but its log ${path}-wal exists: put the file back; if it is lost, ${adviseRestore(path)}`,
      );
    closeSync(openSync(path, 'a'));
    inheritOwner(realpathSync(path));
  }
  const file = realpathSync(path);
  const found = statSync(file);
  // SQLite treats an empty file as new, and removes the log.
  if (found.size === 0 && logSize(file) > 0)
    throw new DatabaseUnusable(
      `${path} is empty, but its log ${file}-wal is not: put the file back; if it is lost, ${adviseRestore(file)}`,
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

/** Creates a small file, or replaces it. Follows no links, because a link could make root write to another file. */
export const makeFile = (path: string, text: string): void => {
  rmSync(path, { force: true });
  writeFileSync(path, text, { flag: 'wx' });
  inheritOwner(path);
};

/** A file that exists while a process has the database open. If the log is missing then, it was deleted. */
const openMarkOf = (file: string): string => `${file}.open`;

/** The removal must be on disk before SQLite removes the log, which it does when the last connection closes. */
export const unmarkOpen = (file: string): void => {
  if (!existsSync(openMarkOf(file))) return;
  rmSync(openMarkOf(file), { force: true });
  syncPath(dirname(file));
};

/** Creates the mark once the log exists. Returns a function that removes it; call it before closing the file. */
export const markOpen = (file: string, health: { readonly failure: unknown }): (() => void) => {
  syncPath(dirname(file));
  try {
    makeFile(openMarkOf(file), '');
  } catch {
    // On a full disk, there is no mark, but reads still work. A deleted log is not reported in that case.
  }
  syncPath(dirname(file));
  // When the process exits, the runtime closes every file, and SQLite then removes the log.
  const atExit = (): void => {
    if (!health.failure && existsSync(`${file}-wal`)) unmarkOpen(file);
  };
  process.once('exit', atExit);
  return () => {
    process.off('exit', atExit);
    unmarkOpen(file);
  };
};

/** Checks the mark twice, because a process that closes the file removes the mark first and then the log. */
const isLogGone = (file: string): boolean =>
  existsSync(openMarkOf(file)) && !existsSync(`${file}-wal`) && existsSync(openMarkOf(file));

/** Whether the last process exited without closing the file, and the log is gone. A restored copy has no log. */
export const isLogMissing = (file: string): boolean =>
  ((statSync(openMarkOf(file), { throwIfNoEntry: false })?.size ?? 0) > 0 || isLogGone(file)) && !isBackup(file);

/** Records in the mark that the log is missing. Must run before a backup opens the file and creates a new log. */
export const noteMissingLog = (file: string): void => {
  try {
    if (isLogMissing(file)) makeFile(openMarkOf(file), 'the log is missing\n');
  } catch {
    // Even if there is no space for this note, the backup is still worth making.
  }
};

/** The system never gives the inode number of an open file to another file. */
const identify = (path: string): string => {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev} ${ino}`;
  } catch (error) {
    return String(error);
  }
};

/** Returns a check that calls `gone` if any of these paths no longer points to the same file. */
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

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
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseUnusable } from '../unusable.ts';
import { inheritOwner } from './owner.ts';

/** What was made, removed or renamed in a folder lasts once the folder is synced. */
const syncFolder = (folder: string): void => {
  const opened = openSync(folder, 'r');
  fsyncSync(opened);
  closeSync(opened);
};

/** Removes what is there of a copy. Its journal would be taken for that of the next one, and be rolled back into it. */
export const removeUnfinished = (path: string): void => {
  for (const left of [path, `${path}-journal`]) rmSync(left, { force: true });
};

/** Gives a file that is whole and synced its name. A file that had the name is gone then. */
export const putInPlace = (unfinished: string, path: string): void => {
  inheritOwner(unfinished);
  renameSync(unfinished, path);
  syncFolder(dirname(path));
};

/** Makes a folder that is not there yet, and those above it. Each lasts once the one above it is synced. */
export const makeFolder = (folder: string, sync = syncFolder): void => {
  const highest = mkdirSync(folder, { recursive: true });
  if (highest === undefined) return;
  const made: string[] = [];
  for (let one = resolve(folder); one.startsWith(resolve(highest)); one = dirname(one)) made.push(one);
  for (const one of made.toReversed()) inheritOwner(one);
  for (const one of made) sync(dirname(one));
};

const quote = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/**
 * What to do with a file that cannot be used. Never deletes: the log may hold acknowledged writes that are nowhere else.
 * `mkdir` refuses a folder that is there, so that `mv` overwrites nothing.
 */
export const adviseRestore = (file: string): string => {
  const kept = quote(join(dirname(file), 'damaged'));
  return (
    `move all of ${file}* to another folder and delete none of them (mkdir ${kept} && mv ${quote(file)}* ${kept}/), ` +
    `then restore a backup (petstore restore <backup> --database-url ${quote(`sqlite:${file}`)})`
  );
};

export const logSize = (file: string): number => statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;

/** The version of its format, in which a file says whether it has a log (https://sqlite.org/fileformat2.html). */
const VERSION_AT = 18;
const WITHOUT_LOG = 1;

/**
 * Whether it is a whole file that has no log, as `VACUUM INTO` makes one: the log beside it belongs to another. To
 * close a file gives up the locks that the process has on it, so that nobody may have it open here yet.
 */
const isBackup = (file: string): boolean => {
  const opened = openSync(file, 'r');
  const version = new Uint8Array(1);
  readSync(opened, version, 0, 1, VERSION_AT);
  closeSync(opened);
  return version[0] === WITHOUT_LOG;
};

/** Where the file is, with its log and its lock beside it: the path may be one of several links to it. */
export const fileAt = (path: string): string => {
  makeFolder(dirname(path));
  if (!existsSync(path)) {
    if (logSize(path) > 0)
      throw new DatabaseUnusable(
        `${path} is missing, but its log ${path}-wal is there: put the file back; if it is lost, ${adviseRestore(path)}`,
      );
    closeSync(openSync(path, 'a'));
    inheritOwner(realpathSync(path));
  }
  const file = realpathSync(path);
  const found = statSync(file);
  // The engine takes it for new, and removes the log.
  if (found.size === 0 && logSize(file) > 0)
    throw new DatabaseUnusable(
      `${path} is empty, but its log ${file}-wal is not: put the file back; if it is lost, ${adviseRestore(file)}`,
    );
  if (found.isFile() && logSize(file) > 0 && isBackup(file))
    throw new DatabaseUnusable(`${path} is a copy, and ${file}-wal is the log of another file: ${adviseRestore(file)}`);
  if (found.isFile() && found.nlink > 1) {
    throw new DatabaseUnusable(
      `${path} has a second name (a hard link), and its log lies beside only one of them: remove the other name`,
    );
  }
  return file;
};

/** Makes a small file and replaces any of that name. Follows no link, which could lead root to a file elsewhere. */
export const makeFile = (path: string, text: string): void => {
  rmSync(path, { force: true });
  writeFileSync(path, text, { flag: 'wx' });
  inheritOwner(path);
};

const markOf = (file: string): string => `${file}.open`;

/** Has to be on disk before SQLite removes the log, which it does when the last connection is closed. */
export const unmarkOpen = (file: string): void => {
  if (!existsSync(markOf(file))) return;
  rmSync(markOf(file), { force: true });
  syncFolder(dirname(file));
};

/**
 * Marks that a process has the file open, once its log is there to stay: from then on a log that is missing was deleted.
 * Returns how to remove the mark, which has to be done before the file is closed.
 */
export const markOpen = (file: string, isBroken: () => boolean): (() => void) => {
  syncFolder(dirname(file));
  try {
    makeFile(markOf(file), '');
  } catch {
    // A full disk still serves reads. A deleted log is not reported then.
  }
  syncFolder(dirname(file));
  // The runtime closes every file at the exit of the process, and SQLite removes the log then.
  const atExit = (): void => {
    if (!isBroken() && existsSync(`${file}-wal`)) unmarkOpen(file);
  };
  process.once('exit', atExit);
  return () => {
    process.off('exit', atExit);
    unmarkOpen(file);
  };
};

/** The second look at the mark: a process that closes the file removes the mark first, and then the log. */
const isLogGone = (file: string): boolean =>
  existsSync(markOf(file)) && !existsSync(`${file}-wal`) && existsSync(markOf(file));

/** Whether the last process ended without closing the file, and its log is gone. A restored copy has no log. */
export const isLogMissing = (file: string): boolean =>
  ((statSync(markOf(file), { throwIfNoEntry: false })?.size ?? 0) > 0 || isLogGone(file)) && !isBackup(file);

/** Keeps it in the mark that the log is missing. Has to run before a backup opens the file, which makes a new log. */
export const noteMissingLog = (file: string): void => {
  try {
    if (isLogMissing(file)) makeFile(markOf(file), 'the log is missing\n');
  } catch {
    // Without space for the note the backup is still worth making.
  }
};

/** The number of a file that is open is given to no other. */
const identify = (path: string): string => {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev} ${ino}`;
  } catch (error) {
    return String(error);
  }
};

/** Notes which open files these paths lead to. What it returns tells `gone` if one leads to another file, or to none. */
export const watchFiles = (paths: readonly string[], gone: (cause: Error) => void) => {
  const noted = new Map(paths.map((path) => [path, identify(path)]));
  return (): void => {
    for (const [path, file] of noted) {
      const found = identify(path);
      if (found !== file)
        gone(new Error(`${path} was removed or replaced while it was in use (${found}, not ${file})`));
    }
  };
};

import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readSeal } from '../database/sqlite.seal.ts';
import { spellInstant } from '../kernel/clock.ts';

const NAME = /^petstore-\d{8}T\d{6}Z\.db$/;
const UNFINISHED = /^petstore-\d{8}T\d{6}Z\.db\.copying(-journal)?$/;

/** One that nothing was written to for so long is of a process that was killed. */
const LEFT_MS = 3_600_000;

const SECOND_MS = 1000;

/** The name of a backup that is made now, or in the first second that no other has; names sort as the backups do. */
export const backupIn = (folder: string, now: number): string => {
  const path = join(folder, `petstore-${spellInstant(now)}.db`);
  return existsSync(path) ? backupIn(folder, now + SECOND_MS) : path;
};

/** Backups of earlier versions do not say that their source was checked, and a damaged one says nothing at all. */
const isSourceChecked = (path: string): boolean => {
  try {
    return readSeal(path).isSourceChecked;
  } catch {
    return false;
  }
};

/**
 * Removes all backups in a folder but the newest, and the remains of killed ones. Keeps the one just made and the newest whose
 * source passed the check, wherever a wrong clock put their names. Returns what it removed.
 */
export const keepNewest = (folder: string, keep: number, now: number, made: string): string[] => {
  const names = readdirSync(folder).sort();
  const backups = names.filter((name) => NAME.test(name));
  const lastChecked = backups.findLast((name) => isSourceChecked(join(folder, name)));
  const old = backups.slice(0, -keep).filter((name) => name !== lastChecked && name !== basename(made));
  const isLeft = (name: string) => UNFINISHED.test(name) && statSync(join(folder, name)).mtimeMs < now - LEFT_MS;
  const removed = [...old, ...names.filter(isLeft)].map((name) => join(folder, name));
  for (const path of removed) rmSync(path, { force: true });
  return removed;
};

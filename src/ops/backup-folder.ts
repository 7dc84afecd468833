import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Config } from '../config.ts';
import { formatFileTime } from '../kernel/runtime.ts';
import { isSourceChecked } from '../storage/maintenance.ts';

const NAME = /^petstore-\d{8}T\d{6}Z\.db$/;
const UNFINISHED = /^petstore-\d{8}T\d{6}Z\.db\.copying(-journal)?$/;

const LEFT_MS = 3_600_000;

const SECOND_MS = 1000;

export const usualFolder = ({ DATABASE_URL: place }: Pick<Config, 'DATABASE_URL'>): string =>
  join(place.engine === 'sqlite' ? dirname(place.path) : '.', 'backups');

export const backupIn = (folder: string, now: number): string => {
  const path = join(folder, `petstore-${formatFileTime(now)}.db`);
  return existsSync(path) ? backupIn(folder, now + SECOND_MS) : path;
};

const findLastChecked = async (paths: readonly string[]): Promise<string | undefined> => {
  for (const path of paths.toReversed()) if (await isSourceChecked(path)) return path;
  return undefined;
};

/**
 * Always keeps the new backup and the newest backup whose source was checked, even if a wrong clock gave older backups
 * later dates.
 */
export const keepNewest = async (folder: string, keep: number, now: number, made: string): Promise<string[]> => {
  const paths = readdirSync(folder)
    .sort()
    .map((name) => join(folder, name));
  const backups = paths.filter((path) => NAME.test(basename(path)));
  const kept = [made, await findLastChecked(backups), ...backups.slice(-keep)].map((path) => path && resolve(path));
  const isLeft = (path: string) => UNFINISHED.test(basename(path)) && statSync(path).mtimeMs < now - LEFT_MS;
  const removed = [...backups.filter((path) => !kept.includes(resolve(path))), ...paths.filter(isLeft)];
  for (const path of removed) rmSync(path, { force: true });
  return removed;
};

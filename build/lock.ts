import { join } from 'node:path';
import { ROOT } from '../check/root.ts';

export type LockedPackage = { version: string; integrity?: string; license?: string };

const { packages } = (await Bun.file(join(ROOT, 'package-lock.json')).json()) as {
  packages: Record<string, LockedPackage>;
};

export const lockedPackage = (place: string): LockedPackage => {
  const found = packages[place];
  if (!found) throw new Error(`${place} is not in package-lock.json`);
  return found;
};

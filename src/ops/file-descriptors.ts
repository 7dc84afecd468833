import { readFileSync } from 'node:fs';

/** Fewer leave too few connections to a busy service (docs/operating.md, Event streams). */
export const ENOUGH_FILES = 10_000;

/** How many files and connections this process may have open; undefined where the system does not tell. */
export const fileDescriptorLimit = (): number | undefined => {
  try {
    const [, limit] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return limit === undefined ? undefined : Number(limit);
  } catch {
    return undefined;
  }
};

import { accessSync, chmodSync, constants, mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** PostgreSQL copies a database 20 times as fast in memory as on a disk. */
const MEMORY = '/dev/shm';
/**
 * `/dev/shm` is used only if it has this much free space, which is far more than a run needs. In containers, it is
 * often too small: it has 64 MB by default.
 */
const NEEDED_BYTES = 3 * 1024 ** 3;

const hasSpace = (directory: string): boolean => {
  try {
    accessSync(directory, constants.W_OK);
    const { bavail, bsize } = statfsSync(directory);
    return bavail * bsize >= NEEDED_BYTES;
  } catch {
    return false;
  }
};

export const makeRunDirectory = (): string => {
  const parent = !process.env.TMPDIR && hasSpace(MEMORY) ? MEMORY : tmpdir();
  const directory = mkdtempSync(join(parent, 'petstore-run-'));
  chmodSync(directory, 0o711);
  return directory;
};

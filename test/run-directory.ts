import { accessSync, chmodSync, constants, mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Memory in the shape of a file system: PostgreSQL copies a database there twenty times as fast as on a disk. */
const MEMORY = '/dev/shm';
/** Far more than a run takes: containers are given 64 MB of it by default. */
const ROOM_BYTES = 3 * 1024 ** 3;

const isRoomy = (directory: string): boolean => {
  try {
    accessSync(directory, constants.W_OK);
    const { bavail, bsize } = statfsSync(directory);
    return bavail * bsize >= ROOM_BYTES;
  } catch {
    return false;
  }
};

/** The temporary directory of one run: whatever its tests and servers write is in here, so that what is left is seen. */
export const makeRunDirectory = (): string => {
  const parent = !process.env.TMPDIR && isRoomy(MEMORY) ? MEMORY : tmpdir();
  const directory = mkdtempSync(join(parent, 'petstore-run-'));
  chmodSync(directory, 0o711);
  return directory;
};

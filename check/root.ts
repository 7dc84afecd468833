import { join } from 'node:path';

/** The top of the repository. */
export const ROOT = join(import.meta.dirname, '..');

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FILES } from '../generate/files.ts';
import { ROOT } from './root.ts';

export const findStale = (): string[] =>
  Object.entries(FILES).flatMap(([path, create]) => {
    const file = join(ROOT, path);
    const fresh = existsSync(file) && readFileSync(file, 'utf8') === create();
    return fresh ? [] : [`${path} is stale: run \`npm run generate\` and commit it`];
  });

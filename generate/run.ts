import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FILES } from './files.ts';

for (const [path, create] of Object.entries(FILES)) {
  writeFileSync(join(import.meta.dirname, '..', path), create());
  console.log(`wrote ${path}`);
}

import { writeSync } from 'node:fs';
import { MIGRATIONS } from '../src/storage/sqlite/migrations.ts';
import { openSqliteFile } from '../src/storage/sqlite/open.ts';

/** Opens a file as a later version would: `migrating.program.ts <file> <step>`. Prints a line when the steps begin. */
const [file = '', step = ''] = process.argv.slice(2);
const migrations = [...MIGRATIONS, step];
// The steps are read once the copy exists.
migrations.entries = () => {
  writeSync(1, 'migrating\n');
  return Array.prototype.entries.call(migrations);
};
openSqliteFile(file, 'production', { migrations }).close();

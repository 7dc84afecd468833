import { writeSync } from 'node:fs';
import { MIGRATIONS } from '../src/storage/sqlite/migrations.ts';
import { openSqliteFile } from '../src/storage/sqlite/open.ts';

/** Usage: `migrating.program.ts <file> <step>`. Applies the step, as a later version of the program would. */
const [file = '', step = ''] = process.argv.slice(2);
const migrations = [...MIGRATIONS, step];
// The steps are read only once the copy of the database exists.
migrations.entries = () => {
  writeSync(1, 'migrating\n');
  return Array.prototype.entries.call(migrations);
};
openSqliteFile(file, 'production', { migrations }).close();

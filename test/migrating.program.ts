import { writeSync } from 'node:fs';
import { MIGRATIONS } from '../src/storage/sqlite/migrations.ts';
import { openSqliteFile } from '../src/storage/sqlite/open.ts';

const [file = '', step = ''] = process.argv.slice(2);
const migrations = [...MIGRATIONS, step];
migrations.entries = () => {
  writeSync(1, 'migrating\n');
  return Array.prototype.entries.call(migrations);
};
openSqliteFile(file, 'production', { migrations }).close();

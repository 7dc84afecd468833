import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MIGRATIONS as POSTGRES } from '../src/storage/postgres/migrations.ts';
import { MIGRATIONS as SQLITE } from '../src/storage/sqlite/migrations.ts';
import { fingerprintOf } from '../src/storage/unusable.ts';
import { ROOT } from './root.ts';

const SCHEMAS: Readonly<Record<string, readonly string[]>> = { sqlite: SQLITE, postgres: POSTGRES };

const END = /^-- End of schema \d+\.\n/m;

const render = (migrations: readonly string[]): string =>
  migrations.map((step, index) => `${step}\n-- End of schema ${index + 1}.\n`).join('');

export const frozenSchemas = (version: string, schemas = SCHEMAS): [name: string, text: string][] =>
  Object.entries(schemas).map(([engine, migrations]) => [`schema-${version}.${engine}.sql`, render(migrations)]);

/** Compares the migration steps of the last release with the current migration steps, ignoring comments. */
export const findSchemaChanges = (folder = join(ROOT, 'docs/releases'), schemas = SCHEMAS): string[] =>
  Object.entries(schemas).flatMap(([engine, migrations]) => {
    const name = readdirSync(folder).find((file) => file.startsWith('schema-') && file.endsWith(`.${engine}.sql`));
    if (!name) return [];
    const released = readFileSync(join(folder, name), 'utf8').split(END).slice(0, -1);
    return released.flatMap((step, index) =>
      fingerprintOf([step]) === fingerprintOf(migrations.slice(index))
        ? []
        : [
            `src/storage/${engine}/migrations.ts: step ${index + 1} is not the one in ${name}. A released step never ` +
              'changes: undo the change (perhaps in src/storage/schema.ts), and append a step (see "Adding a column" in CONTRIBUTING.md)',
          ],
    );
  });

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../check/root.ts';

const find = (pattern: RegExp, text: string): string => {
  const [, found] = pattern.exec(text) ?? [];
  if (found === undefined) throw new Error(`docs/operating/scale.md does not contain ${pattern}`);
  return found;
};

const namesIn = (text: string): string[] => [...text.matchAll(/'(\w+)'/g)].map(([, name]) => name as string);

/** The commands that the guide gives to operators. The tests run the same commands. */
export const DISTRIBUTE = find(
  /```sql\n(SET citus\..*?)```/s,
  readFileSync(join(ROOT, 'docs/operating/scale.md'), 'utf8'),
);

/** Citus keeps a full copy of these tables on every server. */
export const REFERENCE_TABLES = namesIn(find(/create_reference_table\(([^)]*)\)/, DISTRIBUTE));

/** Maps each table to the column that decides which server stores a row. */
export const SHARD_COLUMNS: ReadonlyMap<string, string> = new Map([
  ['stores', 'id'],
  ...namesIn(find(/ARRAY\[([^\]]*)\]/, DISTRIBUTE)).map((name) => [name, 'store_id'] as const),
]);

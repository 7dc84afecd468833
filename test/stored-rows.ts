import { join } from 'node:path';
import { readRows } from './database.ts';
import type { Service } from './service.ts';

/** What the service counts by itself, whatever a request brings. */
const COUNTS = new Set(['windows', 'bans', 'ids', 'usage', 'deprecated_calls']);

/** How many rows of each kind are on disk, seen from outside the service. */
export const countStoredRows = ({ directory }: Service): Record<string, number> => {
  const path = join(directory, 'petstore.db');
  const tables = readRows(path, `SELECT name FROM sqlite_schema WHERE type = 'table'`);
  const counted = tables.map(({ name }) => name).filter((name) => !COUNTS.has(name));
  return Object.fromEntries(
    counted.map((name) => [name, readRows(path, `SELECT count(*) AS n FROM ${name}`)[0]?.n ?? 0]),
  );
};

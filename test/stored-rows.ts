import { Database } from 'bun:sqlite';
import { join } from 'node:path';
import type { Service } from './service.ts';

const TABLES = ['stores', 'keys', 'key_secrets', 'categories', 'pets', 'orders', 'events'];

/** How many rows of each kind are on disk, seen from outside the service. Limits are counted elsewhere. */
export const countStoredRows = ({ directory }: Service): Record<string, number> => {
  const file = new Database(join(directory, 'petstore.db'), { readonly: true });
  try {
    return Object.fromEntries(
      TABLES.map((table) => [table, (file.query(`SELECT count(*) AS n FROM ${table}`).get() as { n: number }).n]),
    );
  } finally {
    file.close();
  }
};

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRows, readTogether } from './database.ts';
import type { Service } from './service.ts';

const NOT_OF_CITUS = "table_name NOT LIKE 'citus%'";
const COUNTS = new Set(['windows', 'bans', 'ids', 'usage', 'deprecated_calls']);

export const storedTables = async ({ place }: Pick<Service, 'place'>, column?: string): Promise<string[]> => {
  const query = place.startsWith('postgres:')
    ? `SELECT DISTINCT table_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND ${NOT_OF_CITUS}`
    : `SELECT DISTINCT t.name FROM pragma_table_list t JOIN pragma_table_info(t.name) c WHERE t.type = 'table'`;
  const having = place.startsWith('postgres:') ? 'column_name' : 'c.name';
  const rows = await readRows(place, column === undefined ? query : `${query} AND ${having} = '${column}'`);
  return rows.map(({ name }) => name).filter((name) => !COUNTS.has(name));
};

export const readTables = (
  { place }: Pick<Service, 'place'>,
  tables: readonly string[],
  query: (table: string) => string,
): Promise<Record<string, any[]>> =>
  readTogether(place, Object.fromEntries(tables.map((table) => [table, query(table)])));

export const countStoredRows = async (service: Service): Promise<Record<string, number>> => {
  const tables = await storedTables(service);
  const counts = await readTables(service, tables, (table) => `SELECT count(*) AS n FROM ${table}`);
  return Object.fromEntries(Object.entries(counts).map(([table, [row]]) => [table, row.n]));
};

export const storedBytes = async ({ place, directory }: Service): Promise<Buffer> => {
  if (!place.startsWith('postgres:')) {
    return Buffer.concat(readdirSync(directory).map((file) => readFileSync(join(directory, file))));
  }
  const tables = await readRows(
    place,
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND ${NOT_OF_CITUS}`,
  );
  const names = tables.map(({ name }) => name);
  const rows = Object.values(await readTables({ place }, names, (table) => `SELECT * FROM "${table}"`));
  const values = rows.flat().flatMap((row) => Object.values(row));
  return Buffer.concat(values.map((value) => (value instanceof Uint8Array ? value : Buffer.from(String(value)))));
};

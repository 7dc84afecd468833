import { createHash } from 'node:crypto';
import pg from 'pg';
import type { Environment } from '../src/kernel/contract.ts';
import { openPostgres } from '../src/storage/postgres/database.ts';
import { MIGRATIONS } from '../src/storage/postgres/migrations.ts';
import { serverOfRun } from './needs.ts';
import { PATIENT_MS } from './patience.ts';
import { createDatabase, dropDatabase, query, RUN, renameDatabase } from './servers/databases.ts';

export const POSTGRES_SERVER = serverOfRun('TEST_DATABASE_URL');

const server = (): string => {
  if (!POSTGRES_SERVER) throw new Error('TEST_DATABASE_URL is not set');
  return POSTGRES_SERVER;
};

const templates = new Map<string, Promise<string>>();

const exists = async (name: string): Promise<boolean> =>
  (await query(server(), 'SELECT 1 FROM pg_database WHERE datname = $1', [name])).length > 0;

/**
 * Two processes may build the template at the same time, so each process builds it under a temporary name and renames
 * it when it is complete.
 */
const makeTemplate = async (environment: Environment): Promise<string> => {
  const schema = createHash('sha256').update(MIGRATIONS.join()).digest('hex').slice(0, 16);
  const name = `petstore_${RUN}_${environment}_${schema}`;
  if (await exists(name)) return name;
  const url = await createDatabase(server());
  const database = await openPostgres({
    url,
    environment,
    timeoutMs: PATIENT_MS,
    connections: 4,
    bind: () => undefined,
  });
  await database.close();
  try {
    await renameDatabase(server(), url, name);
  } catch (error) {
    await dropDatabase(server(), url);
    if (!(await exists(name))) throw error;
  }
  return name;
};

const templateOf = (environment: Environment): Promise<string> => {
  const known = templates.get(environment) ?? makeTemplate(environment);
  templates.set(environment, known);
  return known;
};

let owner: Promise<pg.Client> | undefined;

const asOwner = async (text: string): Promise<void> => {
  owner ??= connect(server());
  await (await owner).query(text);
};

const readers = new Map<string, Reader>();

export const createPostgresDatabase = async (environment: Environment) => {
  const url = await createDatabase(server(), undefined, await templateOf(environment), asOwner);
  const reader = createReader(url);
  readers.set(url, reader);
  const drop = async () => {
    readers.delete(url);
    await reader.close();
    await dropDatabase(server(), url, asOwner);
  };
  return { url, drop };
};

export const createEmptyDatabase = async (on = server()) => {
  const url = await createDatabase(on);
  return { url, drop: () => dropDatabase(on, url) };
};

const INTEGERS = new Set([20, 21, 23, 1700]);
const BYTEA = 17;

const getTypeParser = (oid: number) => {
  if (INTEGERS.has(oid)) return Number;
  return oid === BYTEA ? pg.types.getTypeParser(BYTEA) : (text: string) => text;
};

type Read<Result> = (all: (text: string, values?: readonly string[]) => Promise<any[]>) => Promise<Result>;

const readAt = async <Result>(client: pg.Client, read: Read<Result>): Promise<Result> => {
  // Reads the ids as text, because they may exceed 2^53.
  const { rows: waiting } = await client.query('SELECT DISTINCT store_id::text FROM events WHERE sequence IS NULL');
  for (const { store_id } of waiting)
    await client.query('SELECT number_events($1, 100000, $2)', [store_id, Date.now()]);
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
  try {
    return await read(async (text, values = []) => (await client.query(text, [...values])).rows);
  } finally {
    await client.query('ROLLBACK');
  }
};

const connect = async (url: string): Promise<pg.Client> => {
  const types = { getTypeParser: getTypeParser as typeof pg.types.getTypeParser };
  const client = new pg.Client({ connectionString: url, types });
  // If the connection breaks, the running query reports the error. Without this listener, the error would also crash
  // the test run.
  client.on('error', () => undefined);
  await client.connect();
  return client;
};

type Reader = ReturnType<typeof createReader>;

const createReader = (url: string) => {
  let client: Promise<pg.Client> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  return {
    read<Result>(read: Read<Result>): Promise<Result> {
      const result = last.then(async () => {
        client ??= connect(url);
        return readAt(await client, read);
      });
      last = result.catch(() => undefined);
      return result;
    },
    async close(): Promise<void> {
      await last;
      await (await client?.catch(() => undefined))?.end();
    },
  };
};

export const readPostgres = async <Result>(url: string, read: Read<Result>): Promise<Result> => {
  const kept = readers.get(url);
  if (kept) return kept.read(read);
  const reader = createReader(url);
  try {
    return await reader.read(read);
  } finally {
    await reader.close();
  }
};

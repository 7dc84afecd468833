import { createHash } from 'node:crypto';
import pg from 'pg';
import type { Environment } from '../src/kernel/contract.ts';
import { openPostgres } from '../src/storage/postgres/database.ts';
import { MIGRATIONS } from '../src/storage/postgres/migrations.ts';
import { serverOfRun } from './needs.ts';
import { PATIENT_MS } from './patience.ts';
import { createDatabase, dropDatabase, query, RUN, renameDatabase } from './servers/databases.ts';

/** The PostgreSQL server that the tests may use, as a superuser; undefined where there is none. */
export const POSTGRES_SERVER = serverOfRun('TEST_DATABASE_URL');

const server = (): string => {
  if (!POSTGRES_SERVER) throw new Error('TEST_DATABASE_URL is not set');
  return POSTGRES_SERVER;
};

/** Migrated once for each schema and environment: a copy is made faster than a migration. */
const templates = new Map<string, Promise<string>>();

const exists = async (name: string): Promise<boolean> =>
  (await query(server(), 'SELECT 1 FROM pg_database WHERE datname = $1', [name])).length > 0;

/** Built under another name, so that one that exists is whole. Two processes may build it at once. */
const makeTemplate = async (environment: Environment): Promise<string> => {
  const schema = createHash('sha256').update(MIGRATIONS.join()).digest('hex').slice(0, 16);
  const name = `petstore_${RUN}_${environment}_${schema}`;
  if (await exists(name)) return name;
  const url = await createDatabase(server());
  const database = await openPostgres({ url, environment, timeoutMs: PATIENT_MS, bind: () => undefined });
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

/** Runs a statement on the one connection of this process that makes and drops databases. It ends with the process. */
const asOwner = async (text: string): Promise<void> => {
  owner ??= connect(server());
  await (await owner).query(text);
};

/** Those that a test may look into many times: a connection is made once for each, and closed before it is dropped. */
const readers = new Map<string, Reader>();

/** A database of its own, ready for the service: its URL, and how to drop it. */
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

/** One that nothing was done to. */
export const createEmptyDatabase = async (on = server()) => {
  const url = await createDatabase(on);
  return { url, drop: () => dropDatabase(on, url) };
};

const INTEGERS = new Set([20, 21, 23, 1700]);
const BYTEA = 17;

/** As SQLite gives them to the tests: whole numbers as numbers, bytes as bytes, all else as text. */
const getTypeParser = (oid: number) => {
  if (INTEGERS.has(oid)) return Number;
  return oid === BYTEA ? pg.types.getTypeParser(BYTEA) : (text: string) => text;
};

type Read<Result> = (all: (text: string, values?: readonly string[]) => Promise<any[]>) => Promise<Result>;

/** What `read` finds, all of it as it is at one moment. */
const readAt = async <Result>(client: pg.Client, read: Read<Result>): Promise<Result> => {
  // As every reader of the service does: what is committed has its number before it is shown.
  await client.query(
    'SELECT assign_sequences(store_id, 100000) FROM (SELECT DISTINCT store_id FROM events WHERE sequence IS NULL) waiting',
  );
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
  // A connection that breaks is told by the query that meets it; as an event it would end the tests.
  client.on('error', () => undefined);
  await client.connect();
  return client;
};

type Reader = ReturnType<typeof createReader>;

const createReader = (url: string) => {
  let client: Promise<pg.Client> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  return {
    /** One after another: what is read at one moment is read in one transaction. */
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
      // Whoever could not connect was told so.
      await (await client?.catch(() => undefined))?.end();
    },
  };
};

/** What `read` finds on another connection than that of the service, all of it as it is at one moment. */
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

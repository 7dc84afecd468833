import { Database as SqliteFile } from 'bun:sqlite';
import { describe } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bindRepositories, type Repositories, type RepositoryDeps } from '../src/compose/repositories.ts';
import type { Environment } from '../src/kernel/contract.ts';
import { createRandomText } from '../src/kernel/ids.ts';
import { FIRST_STORE } from '../src/kernel/operation.ts';
import { createLocalKeyChanges } from '../src/resources/keys/changes.ts';
import type { Database } from '../src/storage/database.ts';
import { openPostgres } from '../src/storage/postgres/database.ts';
import { openSqlite } from '../src/storage/sqlite/database.ts';
import { createLocalArrivals } from '../src/streaming/arrivals.ts';
import { coalesceAssignments } from '../src/streaming/coalesce-assignments.ts';
import { sequenceAfterCommit, sequenceInTransaction } from '../src/streaming/sequencer.sql.ts';
import { createTestClock } from './clock.ts';
import { DATABASE_TIMEOUT_MS } from './patience.ts';
import { createPostgresDatabase, POSTGRES_SERVER, readPostgres } from './postgres-database.ts';
import { query } from './servers/databases.ts';

export const readRows = async (place: string, query: string, ...values: string[]): Promise<any[]> => {
  const { rows } = await readTogether(place, { rows: query }, ...values);
  return rows;
};

export const changeRows = async (place: string, statement: string): Promise<void> => {
  if (place.startsWith('postgres:')) return void (await query(place, statement));
  const file = new SqliteFile(place);
  file.run(statement);
  file.close();
};

export const readTogether = async <Name extends string>(
  place: string,
  queries: Record<Name, string>,
  ...values: string[]
): Promise<Record<Name, any[]>> => {
  const found: Partial<Record<Name, any[]>> = {};
  const names = Object.keys(queries) as Name[];
  if (place.startsWith('postgres:')) {
    await readPostgres(place, async (all) => {
      for (const name of names) found[name] = await all(queries[name], values);
    });
  } else {
    const file = new SqliteFile(place, { readonly: true });
    try {
      file.transaction(() => {
        for (const name of names) found[name] = file.query(queries[name]).all(...values);
      })();
    } finally {
      file.close();
    }
  }
  return found as Record<Name, any[]>;
};

type Options = { environment?: Environment; clock?: ReturnType<typeof createTestClock> };

const worldOf = (
  { environment = 'production', clock = createTestClock() }: Options,
  sequencer: RepositoryDeps['sequencer'],
) => {
  const randomText = createRandomText(randomBytes);
  const bind = bindRepositories({ clock, randomText, keyChanges: createLocalKeyChanges(), sequencer });
  return { environment, clock, randomText, bind };
};

export type TestDatabase = {
  readonly database: Database<Repositories, Repositories>;
  clock: ReturnType<typeof createTestClock>;
  randomText: ReturnType<typeof createRandomText>;
  path: string;
  reopen(): Promise<void>;
  close(): Promise<void>;
};

export const openTestDatabase = (options: Options = {}): TestDatabase => {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-test-'));
  const path = join(directory, 'petstore.db');
  const { environment, clock, randomText, bind } = worldOf(options, sequenceInTransaction(createLocalArrivals()));
  const open = () => openSqlite<Repositories, Repositories>({ path, environment, bind });
  let database = open();

  return {
    clock,
    path,
    randomText,
    get database() {
      return database;
    },
    async reopen() {
      await database.close();
      database = open();
    },
    async close() {
      await database.close();
      rmSync(directory, { recursive: true });
    },
  };
};

export const openTestPostgres = async (options: Options = {}): Promise<TestDatabase> => {
  const { assign } = coalesceAssignments({
    assignSome: (storeId) => database.read(FIRST_STORE).sequencer.assignSome(storeId),
    assigned: () => undefined,
    failed: () => undefined,
  });
  // Events get their sequence numbers only when a test reads events, so that tests can also inspect events without a
  // number.
  const { environment, clock, randomText, bind } = worldOf(
    options,
    sequenceAfterCommit({ assign, committed: () => undefined, now: () => clock() }),
  );
  const { url, drop } = await createPostgresDatabase(environment);
  const open = () =>
    openPostgres<Repositories, Repositories>({
      url,
      environment,
      timeoutMs: DATABASE_TIMEOUT_MS,
      connections: 22,
      bind,
    });
  let database = await open();

  return {
    clock,
    path: url,
    randomText,
    get database() {
      return database;
    },
    async reopen() {
      await database.close();
      database = await open();
    },
    async close() {
      await database.close();
      await drop();
    },
  };
};

export const onEveryEngine = (suite: (open: (options?: Options) => Promise<TestDatabase>) => void): void => {
  describe('on SQLite', () => suite(async (options) => openTestDatabase(options)));
  describe.skipIf(!POSTGRES_SERVER)('on PostgreSQL', () => suite(openTestPostgres));
};

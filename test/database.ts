import { Database as SqliteFile } from 'bun:sqlite';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bindStores, type Stores } from '../src/bind-stores.ts';
import { openSqlite } from '../src/database/sqlite.ts';
import { createLocalArrivals } from '../src/events/arrivals.ts';
import { numberAtOnce } from '../src/events/numbering.sql.ts';
import { createLocalKeyChanges } from '../src/kernel/key-changes.ts';
import { createRandomText } from '../src/kernel/random-id.ts';
import { createTestClock } from './service.ts';

/** The rows of a file that a service or a test has open, as another connection sees them: what is committed. */
export const readRows = (path: string, query: string, ...values: string[]): any[] => {
  const file = new SqliteFile(path, { readonly: true });
  try {
    return file.query(query).all(...values);
  } finally {
    file.close();
  }
};

/** A real SQLite file in a directory of its own, with every store bound as the service binds them. */
export const openTestDatabase = ({ environment = 'production', clock = createTestClock() } = {}) => {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-test-'));
  const path = join(directory, 'petstore.db');
  const randomText = createRandomText(randomBytes);
  const open = () =>
    openSqlite<Stores, Stores>({
      path,
      environment,
      bind: bindStores({
        clock,
        randomText,
        keyChanges: createLocalKeyChanges(),
        numbering: numberAtOnce(createLocalArrivals()),
      }),
    });
  let database = open();

  return {
    clock,
    path,
    randomText,
    get database() {
      return database;
    },
    /** Closes the file and opens it again, as a restart does. */
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

export type TestDatabase = ReturnType<typeof openTestDatabase>;

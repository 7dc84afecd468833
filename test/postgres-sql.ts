import { afterAll, beforeAll } from 'bun:test';
import type { Database } from '../src/storage/database.ts';
import { openPostgres } from '../src/storage/postgres/database.ts';
import type { Sql } from '../src/storage/sql.ts';
import { DATABASE_TIMEOUT_MS } from './patience.ts';
import { createPostgresDatabase } from './postgres-database.ts';

export const openPostgresSql = (): { readonly database: Database<Sql, Sql> } => {
  let drop: () => Promise<void>;
  let database: Database<Sql, Sql>;
  beforeAll(async () => {
    const created = await createPostgresDatabase('production');
    drop = created.drop;
    database = await openPostgres<Sql, Sql>({
      url: created.url,
      environment: 'production',
      timeoutMs: DATABASE_TIMEOUT_MS,
      connections: 22,
      bind: (sql) => sql,
    });
  });
  afterAll(async () => {
    await database.close();
    await drop();
  });
  return {
    get database() {
      return database;
    },
  };
};

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createTestClock } from '../../test/clock.ts';
import { DATABASE_TIMEOUT_MS } from '../../test/database-timeout.ts';
import { createPostgresDatabase, POSTGRES_SERVER } from '../../test/postgres-database.ts';
import type { Database } from '../database/database.ts';
import { openPostgres } from '../database/postgres.ts';
import type { Sql } from '../database/sql.ts';
import { SYSTEM_CALL } from '../kernel/operation.ts';
import { createLeaderOnly, LEASE_MS } from './leader-only.ts';
import { sqlLeases } from './leases.repository.sql.ts';

describe.skipIf(!POSTGRES_SERVER)('work that is to be done once', () => {
  let drop: () => Promise<void>;
  let database: Database<Sql, Sql>;
  beforeAll(async () => {
    const created = await createPostgresDatabase('production');
    drop = created.drop;
    database = await openPostgres<Sql, Sql>({
      url: created.url,
      environment: 'production',
      timeoutMs: DATABASE_TIMEOUT_MS,
      bind: (sql) => sql,
    });
  });
  afterAll(async () => {
    await database.close();
    await drop();
  });

  test('is done by the instance that holds its lease, and by another once that has ended', async () => {
    const clock = createTestClock();
    const done: string[] = [];
    const workOf = (holder: string, name: string) =>
      createLeaderOnly({
        holder,
        now: clock,
        write: (body) => database.write(SYSTEM_CALL, (sql) => body({ leases: sqlLeases(sql) })),
      })({ name, run: async () => void done.push(`${holder}: ${name}`) });
    const one = workOf('one', 'sweep');
    const two = workOf('two', 'sweep');

    await one.run();
    await two.run();
    clock.advance(LEASE_MS - 1);
    await two.run();
    expect(done).toEqual(['one: sweep']);
    await workOf('two', 'count').run();
    await one.run();
    expect(done.splice(0)).toEqual(['one: sweep', 'two: count', 'one: sweep']);

    clock.advance(LEASE_MS);
    await two.run();
    await one.run();
    expect(done).toEqual(['two: sweep']);
  });
});

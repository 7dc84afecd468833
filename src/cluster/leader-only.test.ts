import { describe, expect, test } from 'bun:test';
import { createTestClock } from '../../test/clock.ts';
import { POSTGRES_SERVER } from '../../test/postgres-database.ts';
import { openPostgresSql } from '../../test/postgres-sql.ts';
import { SYSTEM_CALL } from '../kernel/operation.ts';
import { createLeaderOnly, LEASE_MS } from './leader-only.ts';
import { sqlLeases } from './leases.repository.sql.ts';

describe.skipIf(!POSTGRES_SERVER)('a job for one instance', () => {
  const postgres = openPostgresSql();

  test('runs on the instance that holds its lease, and on another after the lease has expired', async () => {
    const clock = createTestClock();
    const done: string[] = [];
    const workOf = (holder: string, name: string) =>
      createLeaderOnly({
        holder,
        now: clock,
        write: (body) => postgres.database.write(SYSTEM_CALL, (sql) => body({ leases: sqlLeases(sql) })),
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

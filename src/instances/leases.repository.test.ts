import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { DATABASE_TIMEOUT_MS } from '../../test/database-timeout.ts';
import { createPostgresDatabase, POSTGRES_SERVER } from '../../test/postgres-database.ts';
import type { Database } from '../database/database.ts';
import { openPostgres } from '../database/postgres.ts';
import { SYSTEM_CALL } from '../kernel/operation.ts';
import { sqlLeases } from './leases.repository.sql.ts';
import type { LeaseRepository } from './leases.repository.ts';

describe.skipIf(!POSTGRES_SERVER)('the leases of a deployment', () => {
  type Repositories = { leases: LeaseRepository; names(): Promise<unknown[]> };
  let drop: () => Promise<void>;
  let database: Database<Repositories, Repositories>;
  beforeAll(async () => {
    const created = await createPostgresDatabase('production');
    drop = created.drop;
    database = await openPostgres<Repositories, Repositories>({
      url: created.url,
      environment: 'production',
      timeoutMs: DATABASE_TIMEOUT_MS,
      bind: (sql) => ({
        leases: sqlLeases(sql),
        names: async () => (await sql.all<{ name: string }>('SELECT name FROM leases', [])).map(({ name }) => name),
      }),
    });
  });
  afterAll(async () => {
    await database.close();
    await drop();
  });

  const write = <Result>(body: (leases: LeaseRepository) => Promise<Result>) =>
    database.write(SYSTEM_CALL, ({ leases }) => body(leases));
  const names = async () => (await database.read(1n).names()).toSorted();

  beforeEach(async () => {
    await write(async (leases) => {
      for (const holder of ['one', 'two']) await leases.release(holder);
      await leases.acquire('sweep', 'one', 0, 1000);
      await leases.acquire('count', 'one', 0, 1001);
      await leases.acquire('send', 'two', 0, 1002);
    });
    expect(await names()).toEqual(['count', 'send', 'sweep']);
  });

  test('are given back by who holds them, and nobody else loses any', async () => {
    await write((leases) => leases.release('one'));
    expect(await names()).toEqual(['send']);
    expect(await write((leases) => leases.acquire('sweep', 'two', 0, 1000))).toBeTrue();
    expect(await write((leases) => leases.acquire('send', 'one', 0, 1000))).toBeFalse();
  });

  test('are forgotten that ended before an instant, whoever held them, and no others', async () => {
    await write((leases) => leases.forget(1000));
    expect(await names()).toEqual(['count', 'send', 'sweep']);
    await write((leases) => leases.forget(1001));
    expect(await names()).toEqual(['count', 'send']);
    await write((leases) => leases.forget(1003));
    expect(await names()).toEqual([]);
  });
});

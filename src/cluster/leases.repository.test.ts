import { beforeEach, describe, expect, test } from 'bun:test';
import { POSTGRES_SERVER } from '../../test/postgres-database.ts';
import { openPostgresSql } from '../../test/postgres-sql.ts';
import { SYSTEM_CALL } from '../kernel/operation.ts';
import type { LeaseRepository } from './cluster.repository.ts';
import { sqlLeases } from './leases.repository.sql.ts';

describe.skipIf(!POSTGRES_SERVER)('the leases of a cluster', () => {
  const postgres = openPostgresSql();
  const write = <Result>(body: (leases: LeaseRepository) => Promise<Result>) =>
    postgres.database.write(SYSTEM_CALL, (sql) => body(sqlLeases(sql)));
  const names = async () =>
    (await postgres.database.read(1n).all<{ name: string }>('SELECT name FROM leases ORDER BY name', [])).map(
      ({ name }) => name,
    );

  beforeEach(async () => {
    await write(async (leases) => {
      for (const holder of ['one', 'two']) await leases.release(holder);
      await leases.acquire('sweep', 'one', 0, 1000);
      await leases.acquire('count', 'one', 0, 1001);
      await leases.acquire('send', 'two', 0, 1002);
    });
    expect(await names()).toEqual(['count', 'send', 'sweep']);
  });

  test('are released by their holder, without affecting other holders', async () => {
    await write((leases) => leases.release('one'));
    expect(await names()).toEqual(['send']);
    expect(await write((leases) => leases.acquire('sweep', 'two', 0, 1000))).toBeTrue();
    expect(await write((leases) => leases.acquire('send', 'one', 0, 1000))).toBeFalse();
  });

  test('count as expired if they end over a minute later than a new one, because the clock was set back', async () => {
    const ends = Date.parse('2026-11-20T12:00:00.000Z');
    const take = (until: number) => write((leases) => leases.acquire('sweep', 'two', until - 3, until));
    await write((leases) => leases.acquire('sweep', 'one', ends - 3, ends));
    expect([await take(ends - 60_000), await take(ends - 60_001)]).toEqual([false, true]);
  });

  test('that ended before a given time are deleted, for every holder, and no others', async () => {
    await write((leases) => leases.forget(1000));
    expect(await names()).toEqual(['count', 'send', 'sweep']);
    await write((leases) => leases.forget(1001));
    expect(await names()).toEqual(['count', 'send']);
    await write((leases) => leases.forget(1003));
    expect(await names()).toEqual([]);
  });
});

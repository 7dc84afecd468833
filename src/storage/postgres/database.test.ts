import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { DATABASE_TIMEOUT_MS } from '../../../test/patience.ts';
import { createPostgresDatabase, POSTGRES_SERVER } from '../../../test/postgres-database.ts';
import { query } from '../../../test/servers/databases.ts';
import { waitFor } from '../../../test/wait-for.ts';
import { SYSTEM_CALL } from '../../kernel/operation.ts';
import type { Database } from '../database.ts';
import type { Sql } from '../sql.ts';
import { openPostgres } from './database.ts';

const MAX_CONNECTIONS = 12;

describe.skipIf(!POSTGRES_SERVER)('PostgreSQL', () => {
  let url: string;
  let drop: () => Promise<void>;
  let database: Database<Sql, Sql>;
  beforeEach(async () => {
    ({ url, drop } = await createPostgresDatabase('production'));
    database = await openPostgres({
      url,
      environment: 'production',
      timeoutMs: DATABASE_TIMEOUT_MS,
      connections: 22,
      bind: (sql: Sql) => sql,
    });
  });
  afterEach(async () => {
    await database.close();
    await drop();
  });

  const openStore = (sql: Sql, id: number) =>
    sql.run('INSERT INTO stores (id, created_at, last_sequence) VALUES ($1, 0, 0)', [id]);
  const stores = () => database.read(1n).all<{ id: bigint }>('SELECT id FROM stores ORDER BY id', []);
  const write = <Result>(body: (sql: Sql) => Promise<Result>) => database.write(SYSTEM_CALL, body);

  test('limits every wait of a session to a fraction of the timeout', async () => {
    const bounds = `SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock,
      current_setting('idle_in_transaction_session_timeout') AS idle`;
    expect(DATABASE_TIMEOUT_MS).toBe(600_000);
    expect(await database.read(1n).one<object>(bounds, [])).toEqual({ statement: '3min', lock: '2min', idle: '7min' });
    expect(await write(async (sql) => sql.one<object>(bounds, []))).toEqual({
      statement: '6min',
      lock: '6s',
      idle: '7min',
    });
  });

  test('uses no more connections than configured, and serves more callers than connections', async () => {
    const few = await openPostgres<Sql, Sql>({
      url,
      environment: 'production',
      timeoutMs: DATABASE_TIMEOUT_MS,
      connections: 4,
      bind: (sql) => sql,
    });
    const slow = 'SELECT pg_sleep(0.01)::text AS slept';
    const read = () => few.read(1n).one(slow, []);
    const write = (isLong: boolean) => few.write(SYSTEM_CALL, async (sql) => sql.one(slow, []), undefined, isLong);
    const asked = Array.from({ length: 60 }, (_, index) => (index % 3 === 0 ? read() : write(index % 3 === 1)));
    asked.push(few.writeForReaders(SYSTEM_CALL, async (sql) => sql.one(slow, [])));
    let most = 0;
    const watching = setInterval(() => {
      const open = (few.connections?.() ?? []).reduce((sum, { idle, busy }) => sum + idle + busy, 0);
      most = Math.max(most, open);
    }, 5);
    expect(await Promise.all(asked)).toHaveLength(61);
    clearInterval(watching);
    expect(most).toBeLessThanOrEqual(4);
    await few.close();
  });

  test('keeps a connection for light writers while others write heavily', async () => {
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
    let begun = 0;
    const long = async (sql: Sql): Promise<void> => {
      begun += 1;
      if (begun <= MAX_CONNECTIONS) await held;
      await sql.one('SELECT 1 AS one', []);
    };
    const longs = Array.from({ length: 2 * MAX_CONNECTIONS }, () => database.write(SYSTEM_CALL, long, undefined, true));
    await waitFor('some of them have begun', async () => begun >= 4 || undefined);
    await write((sql) => Promise.resolve(openStore(sql, 7)));
    expect(await stores()).toEqual([{ id: 7n }]);
    letGo();
    await Promise.all(longs);
    expect(begun).toBe(longs.length);
  });

  test('runs the effects of a transaction after its commit, and none after a rollback', async () => {
    const seen: string[] = [];
    await write(async (sql) => {
      await openStore(sql, 7);
      sql.afterCommit(() => seen.push('after commit'));
      seen.push('body');
    });
    const failed = write(async (sql) => {
      await openStore(sql, 8);
      sql.afterCommit(() => seen.push('never'));
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    expect(seen).toEqual(['body', 'after commit']);
    expect(await stores()).toEqual([{ id: 7n }]);
  });

  test('refuses writes outside a transaction', async () => {
    const sql = database.read(1n);
    expect(() => sql.afterCommit(() => undefined)).toThrow('outside a transaction');
    await expect(sql.nextId('pets')).rejects.toThrow('outside a transaction');
    await expect(openStore(sql, 9)).rejects.toThrow('outside a transaction');
    expect(await stores()).toEqual([]);
  });

  test('refuses a write by a reader: directly, inside another statement, or through a function', async () => {
    await query(
      url,
      `CREATE FUNCTION open_store() RETURNS bigint LANGUAGE sql AS
         'INSERT INTO stores (id, created_at, last_sequence) VALUES (9, 0, 0) RETURNING id'`,
    );
    const inserting = 'INSERT INTO stores (id, created_at, last_sequence) VALUES (9, 0, 0) RETURNING id';
    const sql = database.read(1n);
    for (const text of [
      inserting,
      `WITH opened AS (${inserting}) SELECT id FROM opened`,
      'SELECT open_store() AS id',
    ]) {
      const refusal = { code: 'unavailable', cause: { code: '25006' } };
      await expect(sql.one(text, []) as Promise<unknown>).rejects.toMatchObject(refusal);
      await expect(sql.all(text, []) as Promise<unknown>).rejects.toMatchObject(refusal);
    }
    expect(await stores()).toEqual([]);
  });

  test('reports a failed statement that was not awaited, and rolls the transaction back', async () => {
    const seen: unknown[] = [];
    const twice = write(async (sql) => {
      sql.afterCommit(() => seen.push('never'));
      await openStore(sql, 7);
      await openStore(sql, 7);
      await openStore(sql, 8);
    });
    await expect(twice).rejects.toMatchObject({ code: '23505' });
    const before = write(async (sql) => {
      await openStore(sql, 7);
      await openStore(sql, 7);
      // This statement must report the original failure, not the aborted transaction that follows from it.
      await Promise.resolve(sql.one('SELECT 1 AS one', [])).catch((error) => seen.push(error.code));
    });
    await expect(before).rejects.toMatchObject({ code: '23505' });
    expect(seen).toEqual(['23505']);
    expect(await stores()).toEqual([]);
  });

  test('stores nothing sent outside a transaction, for example after a failed BEGIN', async () => {
    const sent = write(async (sql) => {
      await sql.run('ROLLBACK', []);
      await openStore(sql, 7);
    });
    await expect(sent).rejects.toMatchObject({ code: 'unavailable' });
    expect(await stores()).toEqual([]);
  });

  test('runs transactions on the same row one after another, in order of arrival', async () => {
    const came = Array.from({ length: 40 }, (_, index) => index);
    const done: number[] = [];
    const want = (index: number) =>
      database.write(
        SYSTEM_CALL,
        async (sql) => {
          await sql.one('SELECT 1 AS one', []);
          done.push(index);
        },
        'petId 7',
      );
    await Promise.all(came.map(want));
    expect(done).toEqual(came);
  });

  test('uses one connection for all transactions on a row, and serves others meanwhile', async () => {
    const othersAreServed = Promise.withResolvers<void>();
    let running = 0;
    const wait = async () => {
      running += 1;
      await othersAreServed.promise;
    };
    const waiting = Promise.allSettled(Array.from({ length: 40 }, () => database.write(SYSTEM_CALL, wait, 'petId 7')));
    await Promise.all([
      database.write(SYSTEM_CALL, (sql) => openStore(sql, 7)),
      database.write(SYSTEM_CALL, (sql) => openStore(sql, 8), 'petId 8'),
      database.write({ ...SYSTEM_CALL, storeId: 2n }, (sql) => openStore(sql, 9), 'petId 7'),
    ]);
    expect(running).toBe(1);
    expect(await stores()).toEqual([{ id: 7n }, { id: 8n }, { id: 9n }]);
    othersAreServed.resolve();
    await waiting;
  });

  test('reruns a transaction after a deadlock', async () => {
    await write((sql) => Promise.all([openStore(sql, 1), openStore(sql, 2)]));
    let runs = 0;
    const bothHave = Promise.withResolvers<void>();
    const lock = (sql: Sql, id: number) => sql.one(`SELECT id FROM stores WHERE id = $1 ${sql.lockRows}`, [id]);
    const lockBoth = (first: number, second: number) =>
      write(async (sql) => {
        await lock(sql, first);
        runs += 1;
        if (runs === 2) bothHave.resolve();
        await bothHave.promise;
        await lock(sql, second);
      });
    await Promise.all([lockBoth(1, 2), lockBoth(2, 1)]);
    // More than three runs are possible, because both transactions may time out at the same moment, even repeatedly.
    expect(runs).toBeGreaterThanOrEqual(3);
  });

  test('hands out ascending ids, none twice, even after a rollback', async () => {
    const idsOf = (count: number) =>
      write(async (sql) => {
        const ids: bigint[] = [];
        for (let index = 0; index < count; index += 1) ids.push(await sql.nextId('pets'));
        return ids;
      });
    const ids = [...(await idsOf(1)), ...(await idsOf(3)), ...(await idsOf(40)), ...(await idsOf(1))];
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => Number(a - b)));
    expect(ids.slice(0, 2)).toEqual([1n, 2n]);
  });

  test('returns every integer exactly, and bytes as bytes', async () => {
    const row = await database
      .read(1n)
      .one('SELECT 9223372036854775807 AS large, 7::int AS small, $1::bytea AS bytes, NULL AS nothing', [
        new Uint8Array([0, 255]),
      ]);
    expect(row).toEqual({
      large: 9223372036854775807n,
      small: 7n,
      bytes: new Uint8Array([0, 255]),
      nothing: null,
    } as object);
  });

  test('gives a named lock to one of two transactions, until that one ends', async () => {
    const got = await write(async (sql) => {
      const mine = await sql.tryLock('a name');
      const theirs = await write((other) => other.tryLock('a name'));
      return [mine, theirs, await write((other) => other.tryLock('another'))];
    });
    expect(got).toEqual([true, false, true]);
    expect(await write((sql) => sql.tryLock('a name'))).toBeTrue();
  });

  test('counts waiting transactions', async () => {
    expect([database.backlog.pending, database.waitedMs()]).toEqual([0, 0]);
    const both = Promise.all([write(async () => undefined), write(async () => undefined)]);
    expect(database.backlog.pending).toBe(2);
    expect(database.waitedMs()).toBeGreaterThanOrEqual(0);
    await both;
    expect([database.backlog.pending, database.waitedMs()]).toEqual([0, 0]);
  });

  test("waits until every commit is on disk, whatever the server's settings", async () => {
    await query(url, `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET synchronous_commit = off`);
    const shown = () => write(async (sql) => sql.one("SELECT current_setting('synchronous_commit') AS is", []));
    const reopened = await openPostgres<Sql, Sql>({
      url,
      environment: 'production',
      timeoutMs: DATABASE_TIMEOUT_MS,
      connections: 22,
      bind: (sql: Sql) => sql,
    });
    await database.close();
    database = reopened;
    expect(await shown()).toEqual({ is: 'on' });
  });

  test('waits for running transactions when it closes', async () => {
    const closing = Promise.withResolvers<void>();
    const writing = write(async (sql) => {
      await closing.promise;
      await openStore(sql, 7);
    });
    const closed = database.close();
    closing.resolve();
    await closed;
    await writing;
    await expect(stores()).rejects.toMatchObject({ code: 'unavailable' });
    expect(await query(url, 'SELECT id FROM stores')).toEqual([{ id: '7' }]);
  });
});

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

  test('stores its settings with the role, so that a pooler cannot lose them', async () => {
    const settings = `SELECT current_setting('enable_seqscan') AS scan, current_setting('jit') AS jit,
      current_setting('client_connection_check_interval') AS check,
      current_setting('idle_in_transaction_session_timeout') AS idle, current_setting('statement_timeout') AS statement`;
    const expected = { scan: 'off', jit: 'off', check: '1s', idle: '10s', statement: '0' };
    expect(await query(url, settings)).toEqual([expected]);
    expect(await database.read(1n).one<object>(settings, [])).toEqual(expected);
  });

  test('waits for a locked row for only a fraction of the timeout', async () => {
    expect(DATABASE_TIMEOUT_MS).toBe(600_000);
    const timeout = "SELECT current_setting('lock_timeout') AS lock FROM stores RIGHT JOIN (SELECT 1) one ON true";
    await write((sql) => Promise.resolve(openStore(sql, 7)));
    const inTransaction = write(async (sql) => {
      await sql.one('SELECT id FROM stores WHERE id = 7 FOR UPDATE', []);
      return sql.one<object>(timeout, []);
    });
    expect(await inTransaction).toEqual({ lock: '6s' });
    expect(await database.read(1n).one<object>(timeout, [])).toEqual({ lock: '0' });
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
    let most = 0;
    const watching = setInterval(() => {
      const open = (few.connections?.() ?? []).reduce((sum, { idle, busy }) => sum + idle + busy, 0);
      most = Math.max(most, open);
    }, 5);
    expect(await Promise.all(asked)).toHaveLength(60);
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
    await expect(sql.nextId('pets', 1n)).rejects.toThrow('outside a transaction');
    await expect(openStore(sql, 9)).rejects.toThrow('outside a transaction');
    expect(await stores()).toEqual([]);
  });

  test('refuses a write by a reader', async () => {
    const inserting = 'INSERT INTO stores (id, created_at, last_sequence) VALUES (9, 0, 0) RETURNING id';
    const sql = database.read(1n);
    await expect(sql.one(inserting, []) as Promise<unknown>).rejects.toThrow('cannot write outside a transaction');
    await expect(sql.all(inserting, []) as Promise<unknown>).rejects.toThrow('cannot write outside a transaction');
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
      // This statement must fail with the code of the first failure, not with the code for an aborted transaction.
      await Promise.resolve(sql.one('SELECT 1 AS one', [])).catch((error) => seen.push(error.code));
    });
    await expect(before).rejects.toMatchObject({ code: '23505' });
    expect(seen).toEqual(['23505']);
    expect(await stores()).toEqual([]);
  });

  test('sends a transaction without locks as one statement, and any other between BEGIN and COMMIT', async () => {
    await query(url, 'CREATE EXTENSION pg_stat_statements').catch(() => undefined);
    const committed = () => query(url, 'SELECT xmin::text, id FROM stores ORDER BY id');
    await write(async (sql) => {
      await openStore(sql, 1);
      await openStore(sql, 2);
      await sql.run('INSERT INTO categories (store_id, id) VALUES ($1, $2)', [1, 5]);
    });
    const [one, two] = await committed();
    expect(one.xmin).toBe(two.xmin);
    await write(async (sql) => {
      await sql.one('SELECT id FROM stores WHERE id = 1 FOR UPDATE', []);
      await sql.run('UPDATE stores SET created_at = 5 WHERE id = $1', [1]);
      await sql.run('UPDATE stores SET created_at = 6 WHERE id = $1', [2]);
      await sql.run('UPDATE stores SET last_sequence = created_at WHERE id = $1', [1]);
    });
    expect(
      await query(url, 'SELECT created_at::int AS at, last_sequence::int AS last FROM stores ORDER BY id'),
    ).toEqual([
      { at: 5, last: 5 },
      { at: 6, last: 0 },
    ]);
  });

  test('runs the parts of one statement in order, so an event follows rows its transaction waited for', async () => {
    const insert = (sql: Sql, id: string) =>
      Promise.all([
        sql.run('INSERT INTO categories (store_id, id) VALUES ($1, $2) ON CONFLICT DO NOTHING', [1, 1000]),
        sql.run('INSERT INTO ids (store_id, kind, highest) VALUES ($1, $2, $3)', [1, id, 0]),
        sql.run("INSERT INTO events (store_id, id, type, occurred_at, data) VALUES ($1, $2, 'a', 0, '{}')", [1, id]),
      ]);
    const isHeld = Promise.withResolvers<void>();
    const canCommit = Promise.withResolvers<void>();
    const first = write(async (sql) => {
      await sql.one('INSERT INTO categories (store_id, id) VALUES ($1, $2) RETURNING id', [1, 1000]);
      isHeld.resolve();
      await canCommit.promise;
      await insert(sql, 'first');
    });
    await isHeld.promise;
    const second = write((sql) => insert(sql, 'second'));
    const waiting =
      "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'transactionid'";
    await waitFor('the second to wait for the first', async () => (await query(url, waiting))[0]);
    canCommit.resolve();
    await Promise.all([first, second]);
    expect(await query(url, 'SELECT id FROM events ORDER BY position')).toEqual([{ id: 'first' }, { id: 'second' }]);
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
    // At least one transaction must run again. Both run again if they time out at the same moment.
    expect(runs).toBeGreaterThanOrEqual(3);
  });

  test('a call after the end of its transaction fails, and changes nothing', async () => {
    let ended: Sql | undefined;
    await write(async (sql) => {
      ended = sql;
    });
    await expect((async () => openStore(ended as Sql, 7))()).rejects.toThrow();
    await write((sql) => Promise.resolve(openStore(sql, 8)));
    expect(await stores()).toEqual([{ id: 8n }]);
  });

  test('hands out ascending ids, none twice, even after a rollback', async () => {
    const idsOf = (count: number) =>
      write(async (sql) => {
        const ids: bigint[] = [];
        for (let index = 0; index < count; index += 1) ids.push(await sql.nextId('pets', 1n));
        return ids;
      });
    const ids = [...(await idsOf(1)), ...(await idsOf(3)), ...(await idsOf(40)), ...(await idsOf(1))];
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => Number(a - b)));
    expect(ids.slice(0, 2)).toEqual([1n, 2n]);
    expect(await write(async (sql) => sql.nextIds('pets', 2n, 3))).toEqual([1n, 2n, 3n]);
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

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { createPostgresDatabase, POSTGRES_SERVER } from '../../test/postgres-database.ts';
import { query } from '../../test/servers/databases.ts';
import { startProxy } from '../../test/servers/proxy.ts';
import { waitFor } from '../../test/wait-for.ts';
import { OWN_CALL } from '../kernel/operation.ts';
import type { Database } from './database.ts';
import { openPostgres } from './postgres.ts';
import type { Sql } from './sql.ts';

const UNAVAILABLE = { code: 'unavailable', retryAfterSeconds: 1 };

describe.skipIf(!POSTGRES_SERVER)('a PostgreSQL server that fails', () => {
  let url: string;
  let drop: () => Promise<void>;
  let proxy: Awaited<ReturnType<typeof startProxy>>;
  let database: Database<Sql, Sql>;
  beforeEach(async () => {
    ({ url, drop } = await createPostgresDatabase('production'));
    proxy = await startProxy(Number(new URL(url).port || 5432));
    const through = new URL(url);
    through.host = `127.0.0.1:${proxy.port}`;
    database = await openPostgres<Sql, Sql>({ url: through.href, environment: 'production', bind: (sql) => sql });
    await Promise.all([read(), open(1)]);
  });
  afterEach(async () => {
    await proxy.restore();
    await database.close();
    await proxy.stop();
    await drop();
  });

  const read = async () => database.read(1n).all('SELECT id FROM stores', []);
  const open = (id: number) =>
    database.write(OWN_CALL, (sql) =>
      sql.run('INSERT INTO stores (id, created_at, last_sequence) VALUES ($1, 0, 0)', [id]),
    );
  const stored = async () => (await query(url, 'SELECT id FROM stores ORDER BY id')).map(({ id }) => Number(id));
  const name = () => new URL(url).pathname.slice(1);

  /** How the work failed, if it did. */
  const failure = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => undefined,
      (thrown) => thrown,
    );
  const expectServed = () =>
    waitFor('it is served again', async () => {
      const told = await Promise.allSettled([read(), open(Date.now())]);
      return told.every(({ status }) => status === 'fulfilled');
    });

  test('by not answering holds nobody for ever, and is used again as soon as it answers', async () => {
    proxy.blackHole();
    const failures = await Promise.all([
      ...Array.from({ length: 30 }, () => failure(read())),
      ...Array.from({ length: 30 }, (_, index) => failure(open(100 + index))),
    ]);
    for (const error of failures) expect(error).toMatchObject(UNAVAILABLE);
    expect(database.waiting()).toBe(0);
    await proxy.restore();
    await expectServed();
  });

  test('by refusing connections is told, and is used again as soon as it takes them', async () => {
    await proxy.cut();
    for (const work of [read, () => open(2)]) {
      expect(await failure(work())).toMatchObject(UNAVAILABLE);
    }
    await proxy.restore();
    await expectServed();
  });

  test('by ending all connections that nobody uses is not even noticed', async () => {
    await query(
      url,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND pid <> pg_backend_pid()`,
      [name()],
    );
    await waitFor('all are gone', async () => {
      const [row] = await query(
        POSTGRES_SERVER as string,
        'SELECT count(*) AS n FROM pg_stat_activity WHERE datname = $1',
        [name()],
      );
      return row.n === '0';
    });
    await waitFor('they have left the pool', async () => (await failure(read())) === undefined);
    await open(2);
    expect(await stored()).toEqual([1, 2]);
  });

  test('in the middle of a transaction leaves nothing of it', async () => {
    const told: string[] = [];
    const error = await failure(
      database.write(OWN_CALL, async (sql) => {
        sql.afterCommit(() => told.push('never'));
        await sql.one('INSERT INTO stores (id, created_at, last_sequence) VALUES (2, 0, 0) RETURNING id', []);
        await query(url, 'SELECT pg_terminate_backend($1)', [Number(sql.writer)]);
        await sql.one('SELECT 1 AS one', []);
      }),
    );
    expect(error).toMatchObject(UNAVAILABLE);
    expect([told, await stored()]).toEqual([[], [1]]);
  });

  test('at the commit is told as unavailable, and nothing is done after a commit that may not be one', async () => {
    const told: string[] = [];
    const error = await failure(
      database.write(OWN_CALL, async (sql) => {
        sql.afterCommit(() => told.push('never'));
        await sql.one('INSERT INTO stores (id, created_at, last_sequence) VALUES (2, 0, 0) RETURNING id', []);
        proxy.blackHole();
      }),
    );
    expect(error).toMatchObject(UNAVAILABLE);
    expect(told).toEqual([]);
  });

  test('by keeping a row from us for too long is told as unavailable, and the connection is used on', async () => {
    const lock = async (sql: Sql) => sql.one(`SELECT id FROM stores WHERE id = 1 ${sql.lockRows}`, []);
    const held = await database.write(OWN_CALL, async (sql) => {
      await lock(sql);
      return failure(database.write(OWN_CALL, lock));
    });
    expect(held).toMatchObject(UNAVAILABLE);
    await open(2);
  });

  test('by taking long for everything does not let those wait for ever who find no connection', async () => {
    let isFreed = false;
    const held = Array.from({ length: 12 }, () =>
      database.write(OWN_CALL, async (sql) => {
        while (!isFreed) await sql.one('SELECT pg_sleep(0.1)::text AS slept', []);
      }),
    );
    expect(await failure(open(2))).toMatchObject(UNAVAILABLE);
    expect(await read()).toHaveLength(1);
    isFreed = true;
    await Promise.all(held);
    expect(await stored()).toEqual([1]);
  });

  test('to take writes is left alone by the connections that are made from then on', async () => {
    await query(url, `ALTER DATABASE ${name()} SET default_transaction_read_only = on`);
    await query(
      url,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND pid <> pg_backend_pid()`,
      [name()],
    );
    const error = await failure(open(2));
    expect(error).toMatchObject(UNAVAILABLE);
    await query(url, `BEGIN READ WRITE; ALTER DATABASE ${name()} RESET default_transaction_read_only; COMMIT`);
    await expectServed();
  });
});

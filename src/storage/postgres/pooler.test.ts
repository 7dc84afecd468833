import { describe, expect, test } from 'bun:test';
import { lacks } from '../../../test/needs.ts';
import { DATABASE_TIMEOUT_MS } from '../../../test/patience.ts';
import { createEmptyDatabase, createPostgresDatabase, POSTGRES_SERVER } from '../../../test/postgres-database.ts';
import { query } from '../../../test/servers/databases.ts';
import { startPgbouncer } from '../../../test/servers/pgbouncer.ts';
import { SYSTEM_CALL } from '../../kernel/operation.ts';
import type { Sql } from '../sql.ts';
import type { Prepare } from './connection.ts';
import { openPostgres } from './database.ts';

const server = POSTGRES_SERVER as string;

const open = (url: string, prepare?: Prepare) =>
  openPostgres<Sql, Sql>({
    url,
    environment: 'production',
    timeoutMs: DATABASE_TIMEOUT_MS,
    connections: 20,
    prepare,
    bind: (sql) => sql,
  });

describe.skipIf(!POSTGRES_SERVER || lacks('PgBouncer'))('a database behind PgBouncer', () => {
  test('in transaction mode serves 20 connections with 2, and leaves no setting behind', async () => {
    const pooler = await startPgbouncer(server, { size: 2 });
    const { url, drop } = await createPostgresDatabase('production');
    const database = await open(pooler.through(url));
    const addOne = () =>
      database.write(SYSTEM_CALL, async (sql) => {
        const row = await sql.one<{ n: bigint }>('SELECT last_sequence AS n FROM stores WHERE id = $1 FOR UPDATE', [1]);
        await sql.run('UPDATE stores SET last_sequence = $2 WHERE id = $1', [1, Number(row?.n) + 1]);
      });
    await database.write(SYSTEM_CALL, (sql) =>
      sql.run('INSERT INTO stores (id, created_at, last_sequence) VALUES ($1, 0, 0)', [1]),
    );
    await Promise.all(Array.from({ length: 50 }, addOne));
    const reads = Array.from({ length: 50 }, () =>
      database.read(1n).one<{ n: bigint }>('SELECT last_sequence AS n FROM stores WHERE id = $1', [1]),
    );
    expect(new Set((await Promise.all(reads)).map((row) => row?.n))).toEqual(new Set([50n]));
    await database.close();
    const left = await query(
      pooler.through(url),
      "SELECT current_setting('lock_timeout') AS lock, (SELECT count(*)::int FROM pg_prepared_statements) AS names",
    );
    expect(left).toEqual([{ lock: '0', names: 0 }]);
    await drop();
    await pooler.remove();
  });

  test('in statement mode is refused with the reason, and stays empty', async () => {
    const pooler = await startPgbouncer(server, { mode: 'statement' });
    const empty = await createEmptyDatabase();
    const migrated = await createPostgresDatabase('production');
    for (const { url, drop } of [empty, migrated]) {
      await expect(open(pooler.through(url))).rejects.toThrow(
        'transaction blocks not allowed in statement pooling mode',
      );
      await drop();
    }
    await pooler.remove();
  });

  test('gets named statements if the setting says so, which works with a pooler in session mode', async () => {
    const pooler = await startPgbouncer(server, { mode: 'session' });
    const { url, drop } = await createPostgresDatabase('production');
    const names = async (prepare: Prepare) => {
      const database = await open(pooler.through(url), prepare);
      const count = 'SELECT count(*) AS n FROM pg_prepared_statements';
      const row = await database.read(1n).one<{ n: bigint }>(count, []);
      await database.close();
      return row?.n;
    };
    expect(await names('always')).toBe(1n);
    expect(await names('auto')).toBe(0n);
    await drop();
    await pooler.remove();
  });
});

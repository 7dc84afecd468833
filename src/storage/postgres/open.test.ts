import { describe, expect, test } from 'bun:test';
import { Client } from 'pg';
import { DATABASE_TIMEOUT_MS } from '../../../test/patience.ts';
import { createEmptyDatabase, createPostgresDatabase, POSTGRES_SERVER } from '../../../test/postgres-database.ts';
import { query } from '../../../test/servers/databases.ts';
import { freePort } from '../../../test/servers/server-process.ts';
import { waitFor } from '../../../test/wait-for.ts';
import type { Environment } from '../../kernel/contract.ts';
import { DatabaseUnusable } from '../unusable.ts';
import { openPostgres } from './database.ts';
import { MIGRATIONS } from './migrations.ts';
import { openPostgresServer, planPostgresMigrations } from './open.ts';
import { parsePostgresUrl, refuseServer } from './primary.ts';

const open = (url: string, environment: Environment = 'production') =>
  openPostgres({ url, environment, timeoutMs: DATABASE_TIMEOUT_MS, connections: 4, bind: () => undefined });

const refusal = async (opening: Promise<{ close(): Promise<void> }>): Promise<string> => {
  const opened = await opening.catch((error) => error);
  if (!(opened instanceof DatabaseUnusable)) throw new Error(`not refused: ${opened}`);
  return opened.message;
};

describe('the address of a PostgreSQL database', () => {
  test('may name several servers', () => {
    const hosts = parsePostgresUrl('postgres://user:p%40w@one:5433,two,[::1]:5435/pets?sslmode=require');
    expect(hosts.map(({ name }) => name)).toEqual(['one:5433/pets', 'two/pets', '[::1]:5435/pets']);
    expect(hosts[1]?.url).toBe('postgres://user:p%40w@two/pets?sslmode=require&uselibpqcompat=true');
  });

  test('may name a socket on this machine', () => {
    expect(parsePostgresUrl('postgres:///pets?host=/run/postgresql')[0]?.name).toBe('/run/postgresql/pets');
  });

  test.each(['mysql://one/pets', 'postgres://one:port/pets', 'postgres://user:p@w@one/pets', 'postgres'])(
    'is refused without being repeated: %s',
    (url) => {
      expect(() => parsePostgresUrl(url)).toThrow(
        /^DATABASE_URL must look like postgres:\/\/user:password@host:5432\/name$/,
      );
    },
  );

  test('is refused with an unknown sslmode', () => {
    expect(() => parsePostgresUrl('postgres://one/pets?sslmode=perhaps')).toThrow('sslmode must be one of');
  });
});

describe('a server', () => {
  const good = { version: '150004', is_standby: 'f', is_read_only: 'off' };

  test('is accepted if it runs PostgreSQL 15 or later', () => {
    expect(() => refuseServer(good)).not.toThrow();
    expect(() => refuseServer({ ...good, version: '149999' })).toThrow(
      'runs PostgreSQL 14, which is too old: petstore needs 15 or later',
    );
  });

  test('is skipped if it does not accept writes', () => {
    expect(() => refuseServer({ ...good, is_standby: 't' })).toThrow('is a standby');
    expect(() => refuseServer({ ...good, is_read_only: 'on' })).toThrow('does not accept writes');
  });
});

describe.skipIf(!POSTGRES_SERVER)('opening a PostgreSQL database', () => {
  test('creates the schema once, however many instances start together', async () => {
    const { url, drop } = await createEmptyDatabase();
    const opened = await Promise.all(Array.from({ length: 20 }, () => open(url)));
    for (const database of opened) await database.close();
    expect(await query(url, 'SELECT environment, steps::int FROM deployment')).toEqual([
      { environment: 'production', steps: MIGRATIONS.length },
    ]);
    await drop();
  });

  test('runs a new migration once; versions without it refuse the database', async () => {
    const { url, drop } = await createPostgresDatabase('production');
    const STEP = 'CREATE TABLE second AS SELECT environment FROM deployment';
    const openWith = (...steps: string[]) =>
      openPostgresServer({ url, environment: 'production', timeoutMs: DATABASE_TIMEOUT_MS }, [...MIGRATIONS, ...steps]);
    const steps = () => query(url, 'SELECT steps::int FROM deployment');
    const nonsense = `CREATE TABLE third (); SELECT nonsense`;
    await expect(openWith(STEP, nonsense)).rejects.toThrow('column "nonsense" does not exist');
    expect(await query(url, `SELECT to_regclass('third') AS third`)).toEqual([{ third: null }]);
    expect(await steps()).toEqual([{ steps: MIGRATIONS.length + 1 }]);
    for (let opened = 0; opened < 2; opened += 1) await openWith(STEP);
    expect(await query(url, 'SELECT * FROM second')).toEqual([{ environment: 'production' }]);
    expect(await steps()).toEqual([{ steps: MIGRATIONS.length + 1 }]);
    await drop();
  });

  test('is allowed for versions that can still read the schema, and refused for older ones', async () => {
    const { url, drop } = await createPostgresDatabase('production');
    const server = { url, environment: 'production' as const, timeoutMs: DATABASE_TIMEOUT_MS };
    const compatible = 'ALTER TABLE pets ADD COLUMN of_a_test text';
    await openPostgresServer(server, [...MIGRATIONS, compatible]);
    await openPostgresServer(server);
    expect(await planPostgresMigrations(server)).toEqual({ seen: MIGRATIONS.length + 1, steps: [] });
    const breaking = `ALTER TABLE pets DROP COLUMN of_a_test; UPDATE deployment SET readable_from = ${MIGRATIONS.length + 1}`;
    await openPostgresServer(server, [...MIGRATIONS, compatible, breaking]);
    await openPostgresServer(server, [...MIGRATIONS, compatible]);
    expect(await refusal(open(url))).toContain('was written by a newer version of petstore');
    await drop();
  });

  test('rebuilds an index whose concurrent build failed', async () => {
    const { url, drop } = await createPostgresDatabase('production');
    await query(url, 'CREATE TABLE twins AS SELECT 1 AS id FROM generate_series(1, 2)');
    const step = '-- An index.\n  CREATE UNIQUE INDEX CONCURRENTLY twins_id ON twins (id)';
    const openWithIndex = () =>
      openPostgresServer({ url, environment: 'production', timeoutMs: DATABASE_TIMEOUT_MS }, [...MIGRATIONS, step]);
    const isValid = () => query(url, `SELECT indisvalid FROM pg_index WHERE indexrelid = 'twins_id'::regclass`);
    await expect(openWithIndex()).rejects.toThrow('could not create unique index');
    expect(await isValid()).toEqual([{ indisvalid: false }]);
    await query(url, 'DELETE FROM twins WHERE ctid = (SELECT ctid FROM twins LIMIT 1)');
    await Promise.all(Array.from({ length: 5 }, openWithIndex));
    expect(await isValid()).toEqual([{ indisvalid: true }]);
    expect(await query(url, 'SELECT steps::int FROM deployment')).toEqual([{ steps: MIGRATIONS.length + 1 }]);
    await drop();
  });

  test('runs a step once, even if the session that holds the lock is lost', async () => {
    const { url, drop } = await createPostgresDatabase('production');
    const server = { url, environment: 'production' as const, timeoutMs: DATABASE_TIMEOUT_MS };
    await query(url, 'CREATE TABLE counted AS SELECT 0 AS steps');
    const step = 'UPDATE counted SET steps = steps + 1; SELECT pg_sleep(1)';
    const openNewer = () => openPostgresServer(server, [...MIGRATIONS, step]);
    const first = openNewer().catch((error: Error) => error.message);
    const holder = `FROM pg_locks WHERE locktype = 'advisory' AND database =
      (SELECT oid FROM pg_database WHERE datname = current_database())`;
    await waitFor('the step runs', async () => {
      const running = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'UPDATE counted%'`;
      return (await query(url, running)).length > 0;
    });
    await query(url, `SELECT pg_terminate_backend(pid) ${holder}`);
    await openNewer();
    expect(await first).toContain('the connection that holds the migration lock was lost');
    expect(await query(url, 'SELECT steps FROM counted')).toEqual([{ steps: 1 }]);
    expect(await query(url, 'SELECT steps::int FROM deployment')).toEqual([{ steps: MIGRATIONS.length + 1 }]);
    await drop();
  });

  test('waits for a long reader without blocking others: the step gives up its place and tries again', async () => {
    const { url, drop } = await createPostgresDatabase('production');
    const reader = new Client({ connectionString: url });
    await reader.connect();
    await reader.query('BEGIN; SELECT FROM pets LIMIT 1');
    let isOpen = false;
    const server = { url, environment: 'production' as const, timeoutMs: DATABASE_TIMEOUT_MS };
    const opening = openPostgresServer(server, [...MIGRATIONS, 'ALTER TABLE pets ADD COLUMN of_a_test text']).then(
      () => {
        isOpen = true;
      },
    );
    const isWaiting = async () =>
      (await query(url, `SELECT FROM pg_locks WHERE relation = 'pets'::regclass AND NOT granted`)).length > 0;
    let attempts = 0;
    for (; attempts < 2; attempts += 1) {
      await waitFor('the step waits', isWaiting);
      // This query waits while the migration step waits for its lock. The query returns when the step stops waiting.
      expect(await query(url, 'SELECT count(*)::int AS count FROM pets')).toEqual([{ count: 0 }]);
      await waitFor('the step pauses', async () => !(await isWaiting()));
    }
    expect([attempts, isOpen]).toEqual([2, false]);
    await reader.query('COMMIT');
    await reader.end();
    await opening;
    expect(await query(url, 'SELECT of_a_test FROM pets')).toEqual([]);
    await drop();
  });

  test('lists pending migrations without changing anything, and refuses a newer schema', async () => {
    const { url, drop } = await createEmptyDatabase();
    const server = { url, timeoutMs: DATABASE_TIMEOUT_MS };
    const tables = () => query(url, `SELECT tablename FROM pg_tables WHERE schemaname = 'public'`);
    const { seen, steps } = await planPostgresMigrations(server);
    expect({ seen, first: steps[0], count: steps.length }).toEqual({
      seen: 0,
      first: 'The first schema.',
      count: MIGRATIONS.length,
    });
    expect(await tables()).toEqual([]);

    await openPostgresServer({ ...server, environment: 'production' });
    const known = MIGRATIONS.length;
    expect(await planPostgresMigrations(server)).toEqual({ seen: known, steps: [] });
    const before = await tables();
    const step = '-- A second table.\nCREATE TABLE second (id bigint)';
    expect(await planPostgresMigrations(server, [...MIGRATIONS, step])).toEqual({
      seen: known,
      steps: ['A second table.'],
    });
    expect(await tables()).toEqual(before);

    await query(url, 'UPDATE deployment SET steps = 99, readable_from = 99');
    await expect(planPostgresMigrations(server)).rejects.toThrow(
      'was written by a newer version of petstore (schema 99',
    );
    await drop();
  });

  test('changes the settings of the database role only if the service may write', async () => {
    const { url, drop } = await createPostgresDatabase('production');
    const server = { url, environment: 'production' as const, timeoutMs: DATABASE_TIMEOUT_MS };
    await query(
      url,
      `DO $$ BEGIN EXECUTE format('ALTER ROLE CURRENT_USER IN DATABASE %I RESET ALL', current_database()); END $$`,
    );
    const settings = () =>
      query(
        url,
        'SELECT setconfig FROM pg_db_role_setting JOIN pg_database d ON d.oid = setdatabase WHERE datname = current_database()',
      );
    await planPostgresMigrations(server);
    await openPostgresServer({ ...server, use: 'read' });
    expect(await settings()).toEqual([]);
    await openPostgresServer(server);
    expect((await settings())[0].setconfig).toContain('enable_seqscan=off');
    await drop();
  });

  test('refuses a newer schema and the database of another environment', async () => {
    const { url, drop } = await createPostgresDatabase('production');
    const name = url.replace(/^.*@/, '');
    expect(await refusal(open(url, 'staging'))).toBe(
      `${name} is a production database, but PETSTORE_ENVIRONMENT is staging; to use it, set PETSTORE_ENVIRONMENT=production`,
    );
    await query(url, 'UPDATE deployment SET steps = 99, readable_from = 99');
    expect(await refusal(open(url))).toStartWith(`${name} was written by a newer version of petstore (schema 99; `);
    await drop();
  });

  test.each(['DROP COLUMN first_schema', 'DROP COLUMN first_schema, DROP COLUMN readable_from'])(
    'refuses the database of a development version (%s)',
    async (change) => {
      const { url, drop } = await createPostgresDatabase('production');
      const refused = `${url.replace(/^.*@/, '')} was created by a development version before 1.0.0`;
      await query(url, 'UPDATE deployment SET first_schema = first_schema + 1');
      expect(await refusal(open(url))).toStartWith(refused);
      await query(url, `ALTER TABLE deployment ${change}`);
      expect(await refusal(open(url))).toStartWith(refused);
      await expect(planPostgresMigrations({ url, timeoutMs: DATABASE_TIMEOUT_MS })).rejects.toThrow(refused);
      await drop();
    },
  );

  test("refuses another program's database, and does not change it", async () => {
    const { url, drop } = await createEmptyDatabase();
    await query(url, 'CREATE TABLE pets (id int)');
    expect(await refusal(open(url))).toEndWith('relation "pets" already exists');
    expect(await query(url, `SELECT tablename FROM pg_tables WHERE schemaname = 'public'`)).toEqual([
      { tablename: 'pets' },
    ]);
    await drop();
  });

  test('refuses a read-only database', async () => {
    const { url, drop } = await createPostgresDatabase('production');
    await query(url, `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET default_transaction_read_only = on`);
    expect(await refusal(open(url))).toEndWith('does not accept writes');
    await drop();
  });

  test('uses the first of several servers that accepts writes', async () => {
    const { url, drop } = await createPostgresDatabase('production');
    const several = url.replace('@', `@127.0.0.1:${await freePort()},`);
    const database = await open(several);
    await database.close();
    await drop();
  });

  test('names the servers it cannot reach, and never the password', async () => {
    const [one, two] = [await freePort(), await freePort()];
    const said = await refusal(open(`postgres://pets:hunter2@127.0.0.1:${one},127.0.0.1:${two}/pets`));
    expect(said).toContain(`127.0.0.1:${one}/pets cannot be reached: `);
    expect(said).toContain(`127.0.0.1:${two}/pets cannot be reached: `);
    expect(said).not.toContain('hunter2');
  });

  test('reports a missing database', async () => {
    const url = new URL(POSTGRES_SERVER as string);
    url.pathname = '/no_such_database';
    expect(await refusal(open(url.href))).toContain('database "no_such_database" does not exist');
  });
});

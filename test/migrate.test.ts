import { Database } from 'bun:sqlite';
import { afterAll, describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { MIGRATIONS as ON_POSTGRES } from '../src/storage/postgres/migrations.ts';
import { MIGRATIONS } from '../src/storage/sqlite/migrations.ts';
import { createEmptyDatabase, POSTGRES_SERVER } from './postgres-database.ts';
import { createWorkbench, PROGRAM } from './program.ts';

const bench = createWorkbench();
afterAll(bench.clear);

const migrate = (directory: string, ...args: string[]) =>
  bench.start({ directory, command: [...PROGRAM, 'migrate', ...args] }).ended();

describe('petstore migrate', () => {
  test('creates the database as a start would, reports it, and then has nothing to change', async () => {
    const directory = bench.directory();
    const file = join(directory, 'data', 'petstore.db');
    const planned = await migrate(directory, '--dry-run');
    const pending = 'data/petstore.db has schema 0. Pending migrations:\n  schema 1: The first schema.\n';
    expect(planned).toEqual({ exitCode: 0, out: expect.stringContaining(pending), err: '' });
    expect(planned.out.match(/^ {2}schema \d+: \S/gm)).toHaveLength(MIGRATIONS.length);
    expect(existsSync(file)).toBeFalse();

    expect((await migrate(directory)).out).toContain('Applied migrations:\n  schema 1');
    expect(existsSync(file)).toBeTrue();
    for (const args of [[], ['--dry-run']]) {
      const { exitCode, out } = await migrate(directory, ...args);
      expect({ exitCode, out }).toEqual({
        exitCode: 0,
        out: `data/petstore.db has schema ${MIGRATIONS.length}: no migrations pending.\n`,
      });
    }
  });

  test('refuses every database that a start refuses', async () => {
    const directory = bench.directory();
    await migrate(directory);
    const { exitCode, err } = await migrate(directory, '--environment', 'development');
    expect({ exitCode, err }).toEqual({ exitCode: 2, err: expect.stringContaining('must be production or staging') });

    const file = new Database(join(directory, 'data', 'petstore.db'));
    file.run('PRAGMA user_version = 99');
    file.close();
    for (const args of [[], ['--dry-run']]) {
      const newer = await migrate(directory, ...args);
      expect(newer).toMatchObject({
        exitCode: 1,
        err: expect.stringContaining('a newer version of petstore (schema 99'),
      });
    }
  });

  test('explains in one sentence why it cannot read a database', async () => {
    const directory = bench.directory();
    const { exitCode, err } = await migrate(directory, '--dry-run', '--database-url', `sqlite:${directory}`);
    expect({ exitCode, err }).toEqual({
      exitCode: 1,
      err: expect.stringMatching(/^petstore: cannot use the database .*EISDIR.*\n$/),
    });
  });

  test.skipIf(!POSTGRES_SERVER)('works the same on PostgreSQL', async () => {
    const { url, drop } = await createEmptyDatabase();
    const run = (...args: string[]) => {
      const command = [...PROGRAM, 'migrate', ...args];
      return bench.start({ directory: bench.directory(), environment: { DATABASE_URL: url }, command }).ended();
    };
    expect(await run('--create', 'false')).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('the server has no petstore database, and PETSTORE_CREATE=false prevents'),
    });
    expect((await run('--dry-run')).out).toContain('has schema 0. Pending migrations:\n  schema 1');
    const done = await run();
    expect(done).toMatchObject({
      exitCode: 0,
      err: '',
      out: expect.stringContaining('Applied migrations:\n  schema 1'),
    });
    expect((await run('--dry-run')).out).toContain(`has schema ${ON_POSTGRES.length}: no migrations pending.`);
    await drop();
  });
});

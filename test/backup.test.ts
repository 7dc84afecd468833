import { Database } from 'bun:sqlite';
import { afterAll, describe, expect, test } from 'bun:test';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { MIGRATIONS } from '../src/storage/sqlite/migrations.ts';
import { openSqliteFile } from '../src/storage/sqlite/open.ts';
import { inTime } from './in-time.ts';
import { lacks } from './needs.ts';
import { createEmptyDatabase, POSTGRES_SERVER } from './postgres-database.ts';
import { createWorkbench, PROGRAM, type Program } from './program.ts';
import { waitFor } from './wait-for.ts';

const bench = createWorkbench();
afterAll(bench.clear);

const ADMIN_KEY = 'an-admin-key-of-the-operator';
const FILE = 'data/petstore.db';

const start = (directory: string, args: readonly string[], environment: Record<string, string> = {}) =>
  bench.start({ directory, environment, command: [...PROGRAM, ...args] });
const run = (directory: string, ...args: string[]) => start(directory, args).ended();

const serve = async (directory: string) => {
  const program = start(directory, ['serve'], { PETSTORE_ADMIN_KEY: ADMIN_KEY });
  return { program, origin: await program.origin() };
};

const stop = async (program: Program) => {
  program.signal('SIGTERM');
  return program.ended();
};

const dump = (path: string): Record<string, string[]> => {
  const file = new Database(path, { readonly: true, safeIntegers: true });
  const tables = file
    .query("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 AND name <> 'petstore_backup'")
    .all();
  const rowsOf = (name: string) =>
    file
      .query(`SELECT * FROM "${name}"`)
      .values()
      .map((row) => row.map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value)))
      .map((row) => row.join('|'))
      .sort();
  const found = Object.fromEntries((tables as { name: string }[]).map(({ name }) => [name, rowsOf(name)]));
  file.close();
  return found;
};

let large: string | undefined;

const makeLarge = (directory: string): void => {
  mkdirSync(join(directory, 'data'));
  const path = join(directory, FILE);
  if (large) {
    copyFileSync(large, path);
    return;
  }
  const { writer, close } = openSqliteFile(path, 'production');
  writer.run(
    `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 30000)
     INSERT INTO idempotency (store_id, key_id, idempotency_key, fingerprint, body, kept_at)
     SELECT 1, 'key_1', n, randomblob(32), hex(randomblob(1000)), 0 FROM numbers`,
    [],
  );
  close();
  large = join(bench.directory(), 'large.db');
  copyFileSync(path, large);
};

const holdBackup = async (directory: string): Promise<Program> => {
  for (;;) {
    const program = start(directory, ['backup', 'held.db']);
    await waitFor(
      'the copy has started',
      () => existsSync(join(directory, 'held.db.copying')) || program.child.exitCode !== null,
    );
    program.signal('SIGSTOP');
    if (!existsSync(join(directory, 'held.db')) && program.child.exitCode === null) return program;
    await program.kill();
    await Bun.file(join(directory, 'held.db')).delete();
  }
};

describe('a backup made while the service accepts writes', () => {
  test('contains every write acknowledged before it, is consistent, and restores every row', async () => {
    const directory = bench.directory();
    const { program, origin } = await serve(directory);
    const acknowledged: number[] = [];
    let isOver = false;
    const headers = { Authorization: `Bearer ${ADMIN_KEY}`, 'Content-Type': 'application/json' };
    const post = async (path: string, body: object) => {
      const answer = await fetch(`${origin}/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
      return (await answer.json()) as { id: number };
    };
    const write = async (): Promise<void> => {
      while (!isOver) {
        const { id } = await post('/pets', { name: 'Łatek', categoryId: 1 });
        acknowledged.push(id);
        if (id % 10 === 0) await post('/store/orders', { petId: id });
      }
    };
    const writers = Array.from({ length: 8 }, write);
    await waitFor('some pets are written', () => acknowledged.length > 300 || undefined);
    const before = [...acknowledged];
    const made = await run(directory, 'backup', 'backup.db');
    expect(made).toMatchObject({ exitCode: 0, err: '' });
    const after = acknowledged.length;
    await waitFor('writes continue', () => acknowledged.length > after + 100 || undefined);
    isOver = true;
    await Promise.all(writers);
    await stop(program);

    const backup = join(directory, 'backup.db');
    expect(statSync(backup).mode & 0o777).toBe(0o600);
    const restored = await run(directory, 'restore', 'backup.db', '--database-url', 'sqlite:again/petstore.db');
    expect(restored).toMatchObject({ exitCode: 0, err: '' });
    const [copy, again, live] = [backup, join(directory, 'again/petstore.db'), join(directory, FILE)].map(dump);
    expect(again).toEqual(copy);
    expect(statSync(join(directory, 'again/petstore.db')).mode & 0o777).toBe(0o600);

    const ids = new Set(copy?.pets?.map((row) => Number(row.split('|')[1])));
    expect(before.filter((id) => !ids.has(id))).toEqual([]);
    // The service has written more events since the backup, but every event in the backup must still be in the live
    // database.
    const events = new Set(live?.events);
    expect(copy?.events?.filter((row) => !events.has(row))).toEqual([]);
    const countOf = (type: string) => copy?.events?.filter((row) => row.includes(`|${type}|`)).length;
    expect([countOf('pet.created'), countOf('order.placed')]).toEqual([copy?.pets?.length, copy?.orders?.length]);

    const { origin: second, program: served } = await serveRestored(directory);
    const [pet] = before.slice(-1);
    expect((await fetch(`${second}/v1/pets?ids=${pet}`, { headers })).status).toBe(200);
    await stop(served);
  });

  const serveRestored = async (directory: string) => {
    const environment = { PETSTORE_ADMIN_KEY: ADMIN_KEY, DATABASE_URL: 'sqlite:again/petstore.db' };
    const program = start(directory, ['serve'], environment);
    return { program, origin: await program.origin() };
  };

  test('describes its contents in one line of output and in a table inside the file', async () => {
    const directory = bench.directory();
    const { program } = await serve(directory);
    const { out } = await run(directory, 'backup', 'backup.db');
    expect(out).toMatch(
      /^backup\.db: intact, 0\.\d MB; production, 1 store, 0 pets, 0 orders, made 20\d\d-.*Z by version 1\.0\.0, schema \d+\n$/,
    );
    const file = new Database(join(directory, 'backup.db'), { readonly: true });
    const inside = file.query('SELECT version, schema, stores, rows FROM petstore_backup').get() as { rows: string };
    file.close();
    expect(inside).toMatchObject({ version: '1.0.0', schema: MIGRATIONS.length, stores: 1 });
    expect(JSON.parse(inside.rows)).toMatchObject({ stores: 1, pets: 0, keys: 1, categories: 6 });
    await stop(program);
  });
});

describe('a backup', () => {
  test('that is killed leaves no file under its name, and the next backup succeeds', async () => {
    const directory = bench.directory();
    makeLarge(directory);
    const held = await holdBackup(directory);
    await held.kill();
    const left = readdirSync(directory);
    expect(left).toContain('held.db.copying');
    expect(left).not.toContain('held.db');
    writeFileSync(join(directory, 'held.db.copying-journal'), 'of another copy');
    expect(await run(directory, 'backup', 'held.db')).toMatchObject({ exitCode: 0 });
    expect(readdirSync(directory).sort()).toEqual(['data', 'held.db']);
    expect(readdirSync(join(directory, 'data')).filter((name) => name.includes('.backup'))).toEqual([]);
  });

  test.each(['SIGTERM', 'SIGHUP'] as const)('that is cancelled by %s leaves no partial file', async (signal) => {
    const directory = bench.directory();
    makeLarge(directory);
    const held = await holdBackup(directory);
    held.signal(signal);
    held.signal('SIGCONT');
    const { exitCode, err } = await held.ended();
    // If the exit code is 0, the backup was complete before the signal arrived.
    if (exitCode !== 0) expect({ exitCode, err }).toEqual({ exitCode: 1, err: expect.stringContaining('cancelled') });
    expect(readdirSync(directory).sort()).toEqual(exitCode === 0 ? ['data', 'held.db'] : ['data']);
  });

  const startBesideBackup = async () => {
    const directory = bench.directory();
    makeLarge(directory);
    const held = await holdBackup(directory);
    const second = await run(directory, 'backup', 'second.db');
    expect(second).toMatchObject({
      exitCode: 75,
      err: expect.stringContaining('another backup or doctor command is reading'),
    });
    expect((await run(directory, 'doctor')).out).toMatch(
      /^warning +database .*another backup or doctor command is reading/m,
    );
    const mark = join(directory, `${FILE}.backup`);
    const program = start(directory, ['serve'], { PETSTORE_ADMIN_KEY: ADMIN_KEY });
    await waitFor('the start requests the file', () => !existsSync(mark));
    held.signal('SIGCONT');
    await program.origin();
    const { exitCode, err } = await held.ended();
    if (exitCode !== 0)
      expect({ exitCode, err }).toEqual({ exitCode: 75, err: expect.stringContaining('run the backup again') });
    expect(await run(directory, 'backup', 'third.db')).toMatchObject({ exitCode: 0 });
    await stop(program);
  };
  test('releases the database to a service that starts, and refuses to run next to another backup', () =>
    inTime(15_000, startBesideBackup));

  test('that runs out of space fails and leaves no files', async () => {
    const directory = bench.directory();
    makeLarge(directory);
    const limited = `trap '' XFSZ; ulimit -f 2000; exec ${PROGRAM.map((word) => `'${word}'`).join(' ')} backup full.db`;
    const { exitCode, out, err } = await bench.start({ directory, command: ['sh', '-c', limited] }).ended();
    expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' });
    expect(err).toMatch(/^petstore: cannot create full\.db: [^\n]+\n$/);
    expect(readdirSync(directory)).toEqual(['data']);
    expect(readdirSync(join(directory, 'data')).filter((name) => name.includes('.backup'))).toEqual([]);
  });

  test('does not overwrite an existing file', async () => {
    const directory = bench.directory();
    await run(directory, 'migrate');
    writeFileSync(join(directory, 'notes.txt'), 'mine');
    const { exitCode, err } = await run(directory, 'backup', 'notes.txt');
    expect({ exitCode, err }).toEqual({ exitCode: 1, err: expect.stringContaining('notes.txt already exists') });
    expect(await Bun.file(join(directory, 'notes.txt')).text()).toBe('mine');
  });

  test('does not replace a symbolic link, even a dangling one', async () => {
    const directory = bench.directory();
    await run(directory, 'migrate');
    symlinkSync('nowhere.db', join(directory, 'backup.db'));
    const { exitCode, err } = await run(directory, 'backup', 'backup.db');
    expect({ exitCode, err }).toEqual({ exitCode: 1, err: expect.stringContaining('backup.db already exists') });
    expect(readlinkSync(join(directory, 'backup.db'))).toBe('nowhere.db');
  });

  test('and a restore explain in one line why a path cannot be used', async () => {
    const directory = bench.directory();
    await run(directory, 'migrate');
    await run(directory, 'backup', 'backup.db');
    for (const [args, reason] of [
      [['backup', 'backup.db/inside/x.db'], /^petstore: cannot create backup\.db\/inside\/x\.db: [^\n]+\n$/],
      [
        ['restore', 'backup.db', '--database-url', 'sqlite:backup.db/x/y.db'],
        /^petstore: cannot restore backup\.db\/x\/y\.db: [^\n]+\n$/,
      ],
      [['restore', 'none.db'], /^petstore: none\.db does not exist; [^\n]+\n$/],
      [['restore', 'data'], /^petstore: data is a folder; [^\n]+\n$/],
    ] as const) {
      const { exitCode, err } = await run(directory, ...args);
      expect({ args, exitCode, err }).toEqual({ args, exitCode: 1, err: expect.stringMatching(reason) });
    }
  });

  test('of a database that does not exist is refused', async () => {
    const directory = bench.directory();
    const { exitCode, err } = await run(directory, 'backup', 'backup.db');
    expect({ exitCode, err }).toEqual({ exitCode: 1, err: expect.stringContaining('there is no database at data/') });
    expect(readdirSync(directory)).toEqual([]);
  });

  test('needs a file name, and rejects invalid values of --keep and --every', async () => {
    const directory = bench.directory();
    for (const [args, reason] of [
      [[], '<file or folder> is missing'],
      [['--keep', '0'], '--keep must be an integer'],
      [['--every', 'often'], '--every must be a duration such as'],
    ] as const) {
      const { exitCode, err } = await run(directory, 'backup', ...args);
      expect({ exitCode, err }).toEqual({ exitCode: 2, err: expect.stringContaining(reason) });
    }
  });
});

describe('backups in a folder', () => {
  test('are named by their time, repeated with --every, and pruned with --keep', async () => {
    const directory = bench.directory();
    await run(directory, 'migrate');
    const folder = join(directory, 'data/backups');
    const NAME = /^petstore-\d{8}T\d{6}Z\.db$/;
    mkdirSync(folder);
    for (const name of ['petstore-20200101T000000Z.db', 'notes.txt']) writeFileSync(join(folder, name), '');
    const program = start(directory, ['backup', '--every', '1s', '--keep', '2']);
    const backups = () => readdirSync(folder).filter((name) => NAME.test(name));
    const [first] = await waitFor(
      'two backups are made',
      backups,
      (names) => names.length === 2 && !names[0]?.includes('2020'),
    );
    await waitFor('the first backup is removed', () => backups().length === 2 && !backups().includes(first as string));
    const { exitCode, err } = await stop(program);
    expect(err).toMatch(/^(petstore: \S+ was not created: the backup was cancelled\n)?$/);
    expect(exitCode).toBe(0);
    expect(program.written.out).toContain(`removed data/backups/petstore-20200101T000000Z.db`);
    expect(existsSync(join(folder, 'notes.txt'))).toBeTrue();
    expect(backups().length).toBeLessThanOrEqual(3);
  });

  test('can be made one at a time, in a folder given by name', async () => {
    const directory = bench.directory();
    await run(directory, 'migrate');
    expect(await run(directory, 'backup', 'kept/')).toMatchObject({ exitCode: 0 });
    const [name = ''] = readdirSync(join(directory, 'kept'));
    expect(await run(directory, 'restore', `kept/${name}`, '--dry-run')).toMatchObject({
      exitCode: 0,
      out: expect.stringContaining(`kept/${name}: intact; production, 0 stores`),
    });
  });
});

describe.skipIf(lacks('script'))('on a terminal', () => {
  test('a backup shows its progress and speed', async () => {
    const directory = bench.directory();
    makeLarge(directory);
    const words = [...PROGRAM, 'backup', 'backup.db'].map((word) => `'${word}'`).join(' ');
    const { exitCode, out } = await bench
      .start({ directory, command: ['script', '-qec', `exec ${words}`, '/dev/null'] })
      .ended();
    expect(exitCode).toBe(0);
    expect(out).toMatch(/backup\.db {2}[█░]{24} {2}\d+ of \d+ MB {3}\d+ MB\/s/);
    expect(out).toContain('backup.db: intact, ');
  });
});

describe('on PostgreSQL', () => {
  const URL = 'postgres://petstore:hunter2@127.0.0.1:1/petstore';

  test.each(['backup', 'restore'])('%s names the tools to use, without the password', async (command) => {
    const { exitCode, err } = await start(bench.directory(), [command, 'x'], { DATABASE_URL: URL }).ended();
    expect({ exitCode, err }).toEqual({ exitCode: 1, err: expect.stringMatching(/^petstore: .*pg_.*\$DATABASE_URL/) });
    expect(err).not.toContain('hunter2');
  });

  test.skipIf(!POSTGRES_SERVER)('the commands in those messages work', async () => {
    const [source, target] = [await createEmptyDatabase(), await createEmptyDatabase()];
    const directory = bench.directory();
    const inShell = (line: string, url: string) =>
      bench.start({ directory, environment: { DATABASE_URL: url }, command: ['sh', '-c', line] }).ended();
    const advised = async (command: string, line: RegExp, url: string) => {
      const { err } = await start(directory, [command, 'backup.dump'], { DATABASE_URL: url }).ended();
      return line.exec(err)?.[0] ?? '';
    };
    await start(directory, ['migrate'], { DATABASE_URL: source.url }).ended();
    expect(await inShell(await advised('backup', /pg_dump .*?"\$DATABASE_URL"/, source.url), source.url)).toEqual({
      exitCode: 0,
      out: '',
      err: '',
    });
    expect(await inShell(await advised('restore', /pg_restore .*$/m, target.url), target.url)).toEqual({
      exitCode: 0,
      out: '',
      err: '',
    });
    const { out } = await start(directory, ['migrate', '--dry-run'], { DATABASE_URL: target.url }).ended();
    expect(out).toContain('no migrations pending');
    await Promise.all([source.drop(), target.drop()]);
  });
});

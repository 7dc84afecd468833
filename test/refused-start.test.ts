import { Database } from 'bun:sqlite';
import { afterAll, describe, expect, test } from 'bun:test';
import { linkSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createWorkbench, PROGRAM, savedAdminKey } from './program.ts';

const bench = createWorkbench();
afterAll(bench.clear);

const ADMIN_KEY = 'an-admin-key-of-the-operator';

const refusedStart = (directory: string, environment: Record<string, string>, args: readonly string[] = []) =>
  bench.start({ directory, environment, command: [...PROGRAM, ...args] }).ended();

const sentence = (words: string) => expect.stringMatching(new RegExp(`^petstore: [^\\n]*${words}[^\\n]*\\n$`));

const startedOn = async (directory: string, environment: Record<string, string> = {}) => {
  const program = bench.start({ directory, environment: { PETSTORE_ADMIN_KEY: ADMIN_KEY, ...environment } });
  return { program, origin: await program.origin() };
};

const leaveDatabase = async (directory: string, environment: Record<string, string> = {}): Promise<string> => {
  const { program } = await startedOn(directory, environment);
  program.signal('SIGTERM');
  await program.ended();
  return join(directory, 'data', 'petstore.db');
};

describe.concurrent('a start on a port in use', () => {
  const takePort = async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => holder.once('listening', resolve));
    return { holder, port: String((holder.address() as { port: number }).port) };
  };

  test('by another program fails in one sentence that offers a free port', async () => {
    const { holder, port } = await takePort();
    const ended = await refusedStart(bench.directory(), { PORT: port, PETSTORE_ADMIN_KEY: ADMIN_KEY });
    holder.close();
    const err = sentence(
      `cannot listen on 127\\.0\\.0\\.1 port ${port}: the port is in use; set PORT=\\d+, which is free`,
    );
    expect(ended).toEqual({ exitCode: 1, out: '', err });
  });

  test('for metrics fails in one sentence that names PETSTORE_METRICS_PORT', async () => {
    const { holder, port } = await takePort();
    const environment = { PETSTORE_METRICS_PORT: port, PETSTORE_ADMIN_KEY: ADMIN_KEY };
    const ended = await refusedStart(bench.directory(), environment);
    holder.close();
    const reason = `port ${port}: the port is in use; set PETSTORE_METRICS_PORT=\\d+, which is free`;
    expect(ended).toEqual({ exitCode: 1, out: '', err: sentence(`cannot listen on 127\\.0\\.0\\.1 ${reason}`) });
  });

  test('by another petstore fails too: two services never share a port', async () => {
    const { origin } = await startedOn(bench.directory());
    const { port } = new URL(origin);
    const environment = { PORT: port, PETSTORE_ADMIN_KEY: ADMIN_KEY };
    const second = bench.start({ directory: bench.directory(), environment });
    const outcome = await second.origin().catch(() => second.ended());
    expect(outcome).toEqual({ exitCode: 1, out: '', err: sentence('the port is in use') });
  });

  test('creates no admin key; the next start creates and saves it', async () => {
    const { holder, port } = await takePort();
    const directory = bench.directory();
    const refused = await refusedStart(directory, { PORT: port });
    holder.close();
    expect(refused).toEqual({ exitCode: 1, out: '', err: sentence('the port is in use') });
    const file = new Database(join(directory, 'data', 'petstore.db'), { readonly: true });
    expect(file.query('SELECT id FROM keys').all()).toEqual([]);
    file.close();

    const program = bench.start({ directory });
    const origin = await program.origin();
    const headers = { Authorization: `Bearer ${savedAdminKey(directory)}` };
    const answer = await fetch(`${origin}/v1/pets`, { headers });
    expect(answer.status).toBe(200);
  });
});

describe.concurrent('a start on an unusable address', () => {
  const refused: [string, string][] = [
    ['192.0.2.1', 'the address does not belong to this machine'],
    ['no-such-name.invalid', 'the host name has no address'],
  ];
  test.each(refused)('fails in one sentence: %s', async (HOST, words) => {
    const ended = await refusedStart(bench.directory(), { HOST, PETSTORE_ADMIN_KEY: ADMIN_KEY });
    expect(ended).toEqual({ exitCode: 1, out: '', err: sentence(words) });
  });
});

describe.concurrent('a start with an unusable database', () => {
  test('fails in one sentence if the directory is a file', async () => {
    const directory = bench.directory();
    writeFileSync(join(directory, 'data'), '');
    expect(await refusedStart(directory, {})).toEqual({
      exitCode: 1,
      out: '',
      err: sentence('cannot use the database data/petstore\\.db: '),
    });
  });

  test('fails in one sentence if the path is a directory', async () => {
    const directory = bench.directory();
    mkdirSync(join(directory, 'animals'));
    const ended = await refusedStart(directory, { DATABASE_URL: 'sqlite:animals' });
    expect(ended).toEqual({ exitCode: 1, out: '', err: sentence('cannot use the database animals: ') });
  });

  test('fails in one sentence if the file is not a database, and leaves it unchanged', async () => {
    const directory = bench.directory();
    const path = join(directory, 'letter.txt');
    const letter = 'Dear Rex, '.repeat(1000);
    writeFileSync(path, letter);
    const ended = await refusedStart(directory, { DATABASE_URL: `sqlite:${path}` });
    expect(ended).toEqual({ exitCode: 1, out: '', err: sentence('file is not a database') });
    expect(readFileSync(path, 'utf8')).toBe(letter);
  });

  test('fails in one sentence if another program created the database, and leaves it unchanged', async () => {
    const directory = bench.directory();
    const path = join(directory, 'browser.db');
    const foreign = new Database(path);
    foreign.run('CREATE TABLE bookmarks (url TEXT)');
    foreign.close();
    const before = readFileSync(path);
    const ended = await refusedStart(directory, { DATABASE_URL: `sqlite:${path}` });
    expect(ended).toEqual({
      exitCode: 1,
      out: '',
      err: sentence('is not a petstore database; set DATABASE_URL to another file'),
    });
    expect(readFileSync(path)).toEqual(before);
  });

  test('fails in one sentence if a newer version wrote the database', async () => {
    const directory = bench.directory();
    const file = new Database(await leaveDatabase(directory));
    file.run('PRAGMA user_version = 999');
    file.close();
    const ended = await refusedStart(directory, {});
    expect(ended).toEqual({ exitCode: 1, out: '', err: sentence('was written by a newer version of petstore') });
  });

  test('fails in one sentence if a running process uses the database, and that process keeps serving', async () => {
    const directory = bench.directory();
    const { origin } = await startedOn(directory);
    const ended = await refusedStart(directory, {});
    expect(ended).toEqual({ exitCode: 1, out: '', err: sentence('is in use by another petstore process') });
    expect((await fetch(`${origin}/readyz`)).status).toBe(200);
  });

  test('fails if a running process uses the database, even without its lock file or under another name', async () => {
    const directory = bench.directory();
    const { origin } = await startedOn(directory);
    const data = join(directory, 'data');
    rmSync(join(data, 'petstore.db.lock'));
    const inUse = { exitCode: 1, out: '', err: sentence('petstore\\.db is in use by another program: stop') };
    expect(await refusedStart(directory, {})).toEqual(inUse);

    symlinkSync(data, join(directory, 'elsewhere'));
    expect(await refusedStart(directory, { DATABASE_URL: 'sqlite:elsewhere/petstore.db' })).toEqual(inUse);

    linkSync(join(data, 'petstore.db'), join(directory, 'second.db'));
    expect(await refusedStart(directory, { DATABASE_URL: 'sqlite:second.db' })).toEqual({
      exitCode: 1,
      out: '',
      err: sentence('second\\.db has a second name'),
    });
    expect((await fetch(`${origin}/readyz`)).status).toBe(200);
  });

  test.each([
    ['the start of the file', 0, 4096],
    ['all but the start of the file', 3 * 4096, Number.POSITIVE_INFINITY],
  ])('fails in one sentence if %s is damaged', async (_, from, to) => {
    const directory = bench.directory();
    const path = await leaveDatabase(directory);
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(0xff, from, Math.min(to, bytes.length)));
    const { exitCode, out, err } = await refusedStart(directory, {});
    expect([exitCode === 0, err]).toEqual([false, sentence('cannot use the database')]);
    expect(out).not.toContain('started');
  });

  const crossed: [string, string][] = [
    ['production', 'staging'],
    ['staging', 'production'],
  ];
  test.each(crossed)('fails in one sentence if the database belongs to %s, not to %s', async (made, opened) => {
    const directory = bench.directory();
    await leaveDatabase(directory, { PETSTORE_ENVIRONMENT: made });
    const ended = await refusedStart(directory, { PETSTORE_ENVIRONMENT: opened });
    const err = sentence(`is a ${made} database, but PETSTORE_ENVIRONMENT is ${opened}`);
    expect(ended).toEqual({ exitCode: 1, out: '', err });
  });
});

describe.concurrent('invalid settings', () => {
  test('are all reported together, before anything is created', async () => {
    const directory = bench.directory();
    const ended = await refusedStart(directory, {
      PORT: 'http',
      PETSTORE_EVENT_DAYS: '0',
      PETSTORE_ADMIN_KEY: 'short',
    });
    expect(ended).toEqual({
      exitCode: 2,
      out: '',
      err: [
        'petstore: invalid settings',
        '  PORT must be an integer from 0 to 65535, not "http"',
        '  PETSTORE_ADMIN_KEY must be 20 to 200 visible ASCII characters',
        '  PETSTORE_EVENT_DAYS must be an integer from 1 to 36500, not "0"',
        '',
      ].join('\n'),
    });
    expect(await Bun.file(join(directory, 'data', 'petstore.db')).exists()).toBe(false);
  });

  test('include passwords on the command line, which are not repeated', async () => {
    const directory = bench.directory();
    const ended = await refusedStart(directory, {}, ['--database-url', 'postgres://pets:hunter2@127.0.0.1:1/pets']);
    const err =
      'petstore: --database-url contains a password, which other users of this machine can read; ' +
      'set DATABASE_URL in the environment instead\nTry: petstore serve --help\n';
    expect(ended).toEqual({ exitCode: 2, out: '', err });
  });

  test('include admin keys that can be guessed', async () => {
    const { exitCode, err } = await refusedStart(bench.directory(), { PETSTORE_ADMIN_KEY: 'changeme'.repeat(3) });
    expect(exitCode).toBe(2);
    expect(err).toStartWith('petstore: invalid settings\n  PETSTORE_ADMIN_KEY can be guessed: it has fewer than 10');
    expect(err).not.toContain('changeme');
  });

  test('are refused as flags too', async () => {
    const { exitCode, err } = await refusedStart(bench.directory(), {}, ['serve', '--log-level', 'loud']);
    expect(exitCode).toBe(2);
    expect(err).toContain('PETSTORE_LOG_LEVEL must be one of silent, error, warn, info, not "loud"');
  });

  test('include a rehearsal date in production', async () => {
    const { exitCode, err } = await refusedStart(bench.directory(), { PETSTORE_REHEARSE_DATE: '2030-12-05' });
    expect(exitCode).toBe(2);
    expect(err).toContain('PETSTORE_REHEARSE_DATE is for staging only');
  });

  test('include an admin key that is already the secret of another key', async () => {
    const directory = bench.directory();
    const { program, origin } = await startedOn(directory);
    const issued = await fetch(`${origin}/v1/keys`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${ADMIN_KEY}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'front desk', plan: 'pro' }),
    });
    const { id, key } = (await issued.json()) as { id: string; key: string };
    program.signal('SIGTERM');
    await program.ended();
    const { exitCode, err } = await refusedStart(directory, { PETSTORE_ADMIN_KEY: key });
    expect(exitCode).toBe(2);
    expect(err).toBe(
      `petstore: invalid settings\n  PETSTORE_ADMIN_KEY is the secret of an existing key (${id}); set a different value\n`,
    );
  });

  test('include a flag that does not exist', async () => {
    const { exitCode, err } = await refusedStart(bench.directory(), {}, ['--admin-key', ADMIN_KEY]);
    expect({ exitCode, err }).toEqual({
      exitCode: 2,
      err: 'petstore: unknown flag --admin-key\nTry: petstore serve --help\n',
    });
  });
});

test('--open without a terminal is refused, and nothing is created', async () => {
  const directory = bench.directory();
  const { exitCode, err } = await refusedStart(directory, {}, ['--open']);
  expect({ exitCode, err }).toEqual({ exitCode: 2, err: expect.stringContaining('--open works only on a terminal') });
  expect(await Bun.file(join(directory, 'data', 'petstore.db')).exists()).toBe(false);
});

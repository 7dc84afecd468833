import { afterAll, describe, expect, test } from 'bun:test';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createEmptyDatabase, POSTGRES_SERVER } from './postgres-database.ts';
import { createWorkbench, PROGRAM, savedAdminKey } from './program.ts';
import { freePort } from './servers/server-process.ts';
import { waitFor } from './wait-for.ts';

const bench = createWorkbench();
afterAll(bench.clear);

const ADMIN_KEY = 'an-admin-key-of-the-operator';

const linesOf = (out: string): Record<string, unknown>[] =>
  out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

const listPets = (origin: string, key: string) =>
  fetch(`${origin}/v1/pets`, { headers: { Authorization: `Bearer ${key}` } });

const visit = async (directory: string, keys: readonly string[], environment: Record<string, string> = {}) => {
  const program = bench.start({ directory, environment });
  const origin = await program.origin();
  const statuses: number[] = [];
  for (const key of keys) statuses.push((await listPets(origin, key)).status);
  program.signal('SIGTERM');
  return { statuses, ...(await program.ended()) };
};

describe.concurrent('the first start with an empty database', () => {
  test('saves the admin key in a file that only its user can read, and the log names only the file', async () => {
    const directory = bench.directory();
    const path = join(directory, 'data', 'petstore.db.admin-key');
    const first = await visit(directory, []);
    const key = savedAdminKey(directory);
    expect(key).toMatch(/^ps_live_[0-9A-Za-z]{36}$/);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(first.err).toBe('');
    expect(first.out).not.toContain(key);
    const saved = { event: 'admin_key_saved', file: 'data/petstore.db.admin-key' };
    expect(linesOf(first.out)).toContainEqual(expect.objectContaining(saved));

    const second = await visit(directory, [key]);
    expect(second.statuses).toEqual([200]);
    expect(second.err).toBe('');
    expect(second.out).not.toMatch(/admin_key_saved|database_created/);
  });

  test('replaces the file of an earlier database, whatever its mode', async () => {
    const directory = bench.directory();
    mkdirSync(join(directory, 'data'));
    const path = join(directory, 'data', 'petstore.db.admin-key');
    writeFileSync(path, 'an earlier key', { mode: 0o644 });
    await visit(directory, []);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect((await visit(directory, [savedAdminKey(directory)])).statuses).toEqual([200]);
  });

  test.skipIf(!POSTGRES_SERVER)('on PostgreSQL keeps the files of other databases', async () => {
    const directory = bench.directory();
    for (const file of ['petstore.admin-key', 'petstore-2.admin-key']) {
      const { url, drop } = await createEmptyDatabase();
      const { out } = await visit(directory, [], { DATABASE_URL: url });
      expect(linesOf(out)).toContainEqual(expect.objectContaining({ event: 'admin_key_saved', file }));
      const key = readFileSync(join(directory, file), 'utf8').trimEnd();
      expect((await visit(directory, [key], { DATABASE_URL: url })).statuses).toEqual([200]);
      await drop();
    }
    const keys = readdirSync(directory).map((file) => readFileSync(join(directory, file), 'utf8'));
    expect(new Set(keys).size).toBe(2);
  });

  test('shows the key on standard error if the file cannot be written', async () => {
    const directory = bench.directory();
    mkdirSync(join(directory, 'data', 'petstore.db.admin-key'), { recursive: true });
    const { err } = await visit(directory, []);
    const [key = ''] = err.match(/ps_live_[0-9A-Za-z]{36}/) ?? [];
    expect(err).toBe(`Admin key    ${key}   (shown only once: save it now)\n`);
    expect((await visit(directory, [key])).statuses).toEqual([200]);
  });

  test('prints the path of the key on standard error if the log does not show it', async () => {
    const directory = bench.directory();
    const program = bench.start({ directory, environment: { PETSTORE_LOG_LEVEL: 'warn' } });
    await waitFor('the file is named', () => /Admin key +in data\/petstore\.db\.admin-key /.exec(program.written.err));
    expect(savedAdminKey(directory)).toStartWith('ps_live_');
    program.signal('SIGTERM');
    expect((await program.ended()).out).toBe('');
  });

  test('stores only a hash of the key', async () => {
    const directory = bench.directory();
    await visit(directory, []);
    const key = savedAdminKey(directory);
    const kept = readdirSync(join(directory, 'data'))
      .filter((name) => name !== 'petstore.db.admin-key')
      .map((name) => readFileSync(join(directory, 'data', name), 'latin1'));
    expect(kept.join('')).toContain('key.created');
    expect(kept.join('')).not.toContain(key.slice('ps_live_'.length, -4));
  });

  test('creates a test key on staging', async () => {
    const directory = bench.directory();
    await visit(directory, [], { PETSTORE_ENVIRONMENT: 'staging' });
    expect(savedAdminKey(directory)).toStartWith('ps_test_');
  });

  test('logs that it created a database, and where it listens in one JSON line', async () => {
    const { out } = await visit(bench.directory(), []);
    const [created, , started] = linesOf(out);
    expect(created).toMatchObject({ level: 'info', event: 'database_created', database: 'data/petstore.db' });
    expect(started).toEqual({
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      level: 'info',
      event: 'started',
      version: '1.0.0',
      environment: 'production',
      database: 'data/petstore.db',
      api: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/v1$/),
      docs: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/docs$/),
    });
  });
});

describe.concurrent('PETSTORE_CREATE=false', () => {
  const environment = { PETSTORE_CREATE: 'false', PETSTORE_ADMIN_KEY: ADMIN_KEY };

  test.each([[], ['migrate']])(
    'refuses to create a database, explains what to do, and leaves no file: %p',
    async (...args) => {
      const directory = bench.directory();
      const ended = await bench.start({ directory, environment, command: [...PROGRAM, ...args] }).ended();
      const err =
        'petstore: data/petstore.db has no petstore database, and PETSTORE_CREATE=false prevents petstore from creating one; ' +
        'check DATABASE_URL and whether its volume is mounted, or set PETSTORE_CREATE=true for the first start\n';
      expect(ended).toEqual({ exitCode: 1, out: '', err });
      expect(readdirSync(directory)).toEqual([]);
    },
  );

  test('starts on a database that exists', async () => {
    const directory = bench.directory();
    await visit(directory, [], { PETSTORE_ADMIN_KEY: ADMIN_KEY });
    expect((await visit(directory, [ADMIN_KEY], environment)).statuses).toEqual([200]);
  });
});

describe.concurrent('PETSTORE_ADMIN_KEY', () => {
  test('may be in a file, whose last line break is ignored', async () => {
    const directory = bench.directory();
    const file = join(directory, 'secret');
    writeFileSync(file, `${ADMIN_KEY}\n`);
    const { statuses, out, err } = await visit(directory, [ADMIN_KEY], { PETSTORE_ADMIN_KEY_FILE: file });
    expect({ statuses, err }).toEqual({ statuses: [200], err: '' });
    expect(out).not.toContain(ADMIN_KEY);
  });

  test('sets the admin key, and is never shown', async () => {
    const { statuses, out, err } = await visit(bench.directory(), [ADMIN_KEY], { PETSTORE_ADMIN_KEY: ADMIN_KEY });
    expect(statuses).toEqual([200]);
    expect(out + err).not.toContain(ADMIN_KEY);
    expect(err).toBe('');
  });

  test('replaces the previous admin key', async () => {
    const directory = bench.directory();
    await visit(directory, []);
    const made = savedAdminKey(directory);
    const { statuses } = await visit(directory, [made, ADMIN_KEY], { PETSTORE_ADMIN_KEY: ADMIN_KEY });
    expect(statuses).toEqual([401, 200]);
  });

  test('stays the admin key after a start without the setting', async () => {
    const directory = bench.directory();
    await visit(directory, [], { PETSTORE_ADMIN_KEY: ADMIN_KEY });
    const { statuses, err } = await visit(directory, [ADMIN_KEY]);
    expect(statuses).toEqual([200]);
    expect(err).toBe('');
  });
});

const encode = (text: string) => [...text].map((one) => `%${one.charCodeAt(0).toString(16)}`).join('');

describe.concurrent('the log', () => {
  test('has one line per request, and never a key, wherever the caller puts it', async () => {
    const program = bench.start({ directory: bench.directory(), environment: { PETSTORE_ADMIN_KEY: ADMIN_KEY } });
    const origin = await program.origin();
    const issued = await fetch(`${origin}/v1/keys`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${ADMIN_KEY}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'front desk', plan: 'pro' }),
    });
    const { key } = (await issued.json()) as { key: string };
    const random = key.slice('ps_live_'.length);
    const asked = [
      fetch(`${origin}/v1/pets`, { headers: { Authorization: `Bearer ${key}` } }),
      fetch(`${origin}/v1/pets`, { headers: { Authorization: `Basic ${key}` } }),
      fetch(`${origin}/v1/pets?api_key=${key}&limit=${key}`, { headers: { Authorization: `Bearer ${key}` } }),
      fetch(`${origin}/v1/pets/${key}`, { headers: { Authorization: `Bearer ${key}` } }),
      fetch(`${origin}/v1/pets`, { headers: { Authorization: `Bearer ${key}`, 'X-Request-Id': key } }),
      fetch(`${origin}/${key}`),
      fetch(`${origin}/${encode(key)}`),
      fetch(`${origin}/${encodeURIComponent(encode(key))}`),
      fetch(`${origin}/v1/${encode(ADMIN_KEY)}`, { headers: { Authorization: `Bearer ${key}` } }),
      fetch(`${origin}/v1/pets`, { headers: { Authorization: `Bearer ${key}`, 'X-Request-Id': ADMIN_KEY } }),
      fetch(`${origin}/v1/${ADMIN_KEY}`, { method: 'PUT', headers: { Authorization: `Bearer ${key}` } }),
    ];
    const answers = await Promise.all(asked);
    expect(answers.map(({ status }) => status)).toEqual([200, 401, 400, 404, 200, 404, 404, 404, 404, 200, 404]);
    const texts = (await Promise.all(answers.map((answer) => answer.text()))).join('');

    program.signal('SIGTERM');
    const { out, err } = await program.ended();
    const secrets = [random, ADMIN_KEY].flatMap((one) => [one, encode(one), encodeURIComponent(encode(one))]);
    for (const secret of [...secrets, 'Bearer', 'Basic']) expect(out + err).not.toContain(secret);
    for (const secret of secrets) expect(texts).not.toContain(secret);
    const lines = linesOf(out);
    const requestIds = lines.filter(({ event }) => event === 'request').map(({ requestId }) => requestId);
    const answeredIds = [issued, ...answers].map(({ headers }) => headers.get('x-request-id'));
    expect(new Set(requestIds)).toEqual(new Set(answeredIds));
    expect(requestIds).toHaveLength(answers.length + 1);
  });

  test('has no line for a successful health check, and one for each failed one', async () => {
    const program = bench.start({ directory: bench.directory(), environment: { PETSTORE_ADMIN_KEY: ADMIN_KEY } });
    const origin = await program.origin();
    const statusOf = async (path: string, method = 'GET') => (await fetch(`${origin}${path}`, { method })).status;
    for (let asked = 0; asked < 20; asked += 1) {
      expect([await statusOf('/healthz'), await statusOf('/readyz', 'HEAD')]).toEqual([200, 200]);
    }
    expect(await statusOf('/healthz', 'PUT')).toBe(405);
    program.signal('SIGTERM');
    await waitFor('the service is not ready', async () => (await statusOf('/readyz').catch(() => 503)) === 503);
    const { out } = await program.ended();
    const lines = linesOf(out);
    const shown = lines.filter(({ event }) => event === 'request').map(({ method, status }) => `${method} ${status}`);
    expect(shown[0]).toBe('PUT 405');
    expect(shown.slice(1).filter((line) => line !== 'GET 503')).toEqual([]);
  });

  test('is silent at the level silent', async () => {
    const directory = bench.directory();
    const environment = { PORT: String(await freePort()), PETSTORE_LOG_LEVEL: 'silent', PETSTORE_ADMIN_KEY: ADMIN_KEY };
    const program = bench.start({ directory, environment });
    const origin = `http://127.0.0.1:${environment.PORT}`;
    const { status } = await waitFor('the service answers', () => listPets(origin, ADMIN_KEY).catch(() => undefined));
    expect(status).toBe(200);
    program.signal('SIGTERM');
    expect(await program.ended()).toEqual({ exitCode: 0, out: '', err: '' });
  });
});

describe.concurrent('PETSTORE_METRICS_PORT', () => {
  test('answers only a loopback Host, with any port', async () => {
    const port = await freePort();
    const environment = { PETSTORE_METRICS_PORT: String(port), PETSTORE_ADMIN_KEY: ADMIN_KEY };
    const program = bench.start({ directory: bench.directory(), environment });
    await program.origin();
    const read = (Host: string) => fetch(`http://127.0.0.1:${port}/metrics`, { headers: { Host } });
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`, 'localhost:1', 'localhost']) {
      const answer = await read(host);
      expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('petstore_build_info')]);
    }
    for (const host of [`elsewhere.example:${port}`, 'elsewhere.example', `localhost.elsewhere.example:${port}`]) {
      const answer = await read(host);
      expect([answer.status, await answer.text()]).toEqual([403, expect.not.stringContaining('petstore_')]);
    }
    program.signal('SIGTERM');
    await program.ended();
  });
});

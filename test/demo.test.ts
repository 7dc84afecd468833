import { afterAll, describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { createWorkbench, PROGRAM, type Program } from './program.ts';
import { readLinkOrEmpty } from './read-link.ts';
import { waitFor } from './wait-for.ts';

const bench = createWorkbench();
const demos: Pick<Program, 'signal' | 'ended'>[] = [];
afterAll(async () => {
  for (const demo of demos) demo.signal('SIGTERM');
  await Promise.all(demos.map((demo) => demo.ended()));
  await bench.clear();
});

const start = (args: readonly string[], environment: Record<string, string> = {}) => {
  const directory = bench.directory();
  const command = [...PROGRAM, 'serve', '--demo', ...args];
  return { directory, ...bench.start({ directory, environment, command }) };
};

const startDemo = async (args: readonly string[] = [], environment: Record<string, string> = {}) => {
  const program = start(args, environment);
  demos.push(program);
  const origin = await program.origin();
  const key = await waitFor('the test key is printed', () => /Test key +(\S+)/.exec(program.written.err)?.[1]);
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${origin}/v1${path}`, {
      ...init,
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    });
  return { program, key, ask };
};

const listPets = async (ask: (path: string) => Promise<Response>) =>
  (await (await ask('/pets?limit=100')).json()) as { id: number; name: string; status: string }[];

const databaseOf = (program: Program): string | undefined => {
  const open = `/proc/${program.child.pid}/fd`;
  return readdirSync(open)
    .map((fd) => readLinkOrEmpty(`${open}/${fd}`))
    .find((path) => path.endsWith('petstore.db'));
};

describe('a demo', () => {
  test('runs as staging, with a test key for a filled store that accepts orders', async () => {
    const { ask, key, program } = await startDemo();
    expect(key).toStartWith('ps_test_');
    expect(/ps_(?:test|live)_\w+/.exec(program.written.err)?.[0]).toBe(key);
    expect((await ask('/events')).status).toBe(200);
    const pets = await listPets(ask);
    expect(pets).toHaveLength(60);
    const petId = pets.find(({ status }) => status === 'available')?.id;
    const order = await ask('/store/orders', { method: 'POST', body: JSON.stringify({ petId }) });
    expect(order.status).toBe(201);
  });

  test('ignores the database and Redis that the environment names', async () => {
    const environment = { DATABASE_URL: 'sqlite:mine.db', REDIS_URL: 'redis://127.0.0.1:1' };
    const { ask, program } = await startDemo([], environment);
    expect(await listPets(ask)).toHaveLength(60);
    expect(readdirSync(program.directory)).toEqual([]);
    expect(program.written.out).not.toContain('redis');
  });

  test('calls itself without the proxy that the environment names', async () => {
    const { ask } = await startDemo([], { HTTP_PROXY: 'http://127.0.0.1:1', http_proxy: 'http://127.0.0.1:1' });
    expect(await listPets(ask)).toHaveLength(60);
  });

  test('removes its database when it ends', async () => {
    const { program } = await startDemo();
    const database = databaseOf(program);
    expect(existsSync(database as string)).toBeTrue();
    program.signal('SIGTERM');
    expect((await program.ended()).exitCode).toBe(0);
    expect(existsSync(database as string)).toBeFalse();
  });

  test('resets its store at the interval of --reset-every', async () => {
    const { ask, program } = await startDemo(['--reset-every', '1s']);
    const body = JSON.stringify({ name: 'A visitor', categoryId: 1 });
    await waitFor('the pet is added', async () => (await ask('/pets', { method: 'POST', body })).status === 201);
    // Waits for two resets, because the first one may have started before the pet was added.
    const resets = () => program.written.out.match(/"event":"demo_reset"/g)?.length ?? 0;
    const before = resets();
    await waitFor('two resets are done', () => resets() >= before + 2 || undefined);
    expect((await listPets(ask)).map(({ name }) => name)).not.toContain('A visitor');
    expect(await listPets(ask)).toHaveLength(60);
  });

  test('has two weeks of sales, and counts no events from before its last reset', async () => {
    const { ask, program } = await startDemo(['--reset-every', '1s']);
    const resets = () => program.written.out.match(/"event":"demo_reset"/g)?.length ?? 0;
    const from = new Date(Date.now() - 16 * 86_400_000).toISOString();
    const count = async () =>
      (await (await ask(`/events/counts?by=day&from=${from}`)).json()) as {
        byType: Record<string, number>;
        sold: number;
      };
    await waitFor('three resets are done', () => resets() >= 3 || undefined);
    // Waits until no reset is running, because a reset deletes the demo's pets and adds them again.
    const { byType, sold } = await waitFor('a reset is complete', count, (seen) => seen.byType['pet.created'] === 60);
    expect([byType['pet.deleted'], sold]).toEqual([60, 12]);
  });

  test('continues with a new file and the same key when a reset fails', async () => {
    const { ask, program } = await startDemo(['--reset-every', '1s']);
    const database = databaseOf(program) as string;
    rmSync(database);
    const body = JSON.stringify({ name: 'A visitor', categoryId: 1 });
    const statuses = new Set<number | undefined>();
    const add = async () => {
      const status = (await ask('/pets', { method: 'POST', body }).catch(() => undefined))?.status;
      statuses.add(status);
      return status;
    };
    await waitFor('a reset has failed', async () => {
      await add();
      return program.written.out.includes('"event":"demo_reset_failed"');
    });
    await waitFor('a visitor can add a pet', async () => (await add()) === 201);
    expect(statuses.has(401)).toBeFalse();
    expect(existsSync(database)).toBeFalse();
    const resets = () => program.written.out.match(/"event":"demo_reset"/g)?.length ?? 0;
    const before = resets();
    await waitFor('resets work again', () => resets() >= before + 2 || undefined);
    expect(await listPets(ask)).toHaveLength(60);
    expect(program.written.out.match(/"event":"demo_reset_failed"/g)).toHaveLength(1);
    program.signal('SIGTERM');
    expect((await program.ended()).exitCode).toBe(0);
    expect(existsSync(dirname(database))).toBeFalse();
  });

  test.each([
    [['--database-url', 'sqlite:mine.db'], 'leave out --database-url'],
    [['--environment', 'production'], 'leave out --environment'],
    [['--reset-every', '0h'], 'a duration such as 90s'],
    [['--reset-every', '25d'], 'at most 24d'],
  ])('is refused with %p', async (args, words) => {
    const { exitCode, err } = await start(args).ended();
    expect({ exitCode, err }).toEqual({ exitCode: 2, err: expect.stringContaining(words) });
  });

  test('is required for --reset-every', async () => {
    const command = [...PROGRAM, 'serve', '--reset-every', '1h'];
    const { exitCode, err } = await bench.start({ directory: bench.directory(), command }).ended();
    expect({ exitCode, err }).toEqual({ exitCode: 2, err: expect.stringContaining('--reset-every requires --demo') });
  });
});

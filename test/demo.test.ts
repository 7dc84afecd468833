import { afterAll, describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { leadsTo } from './leads-to.ts';
import { createWorkbench, PROGRAM, type Program } from './program.ts';
import { waitFor } from './wait-for.ts';

const bench = createWorkbench();
const demos: Pick<Program, 'signal' | 'ended'>[] = [];
afterAll(async () => {
  // One that is killed cannot remove its files.
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

const animals = async (ask: (path: string) => Promise<Response>) =>
  (await (await ask('/pets?limit=100')).json()) as { id: number; name: string; status: string }[];

const databaseOf = (program: Program): string | undefined => {
  const open = `/proc/${program.child.pid}/fd`;
  return readdirSync(open)
    .map((fd) => leadsTo(`${open}/${fd}`))
    .find((path) => path.endsWith('petstore.db'));
};

describe('a demo', () => {
  test('is staging, with a test key whose store is filled and takes orders', async () => {
    const { ask, key } = await startDemo();
    expect(key).toStartWith('ps_test_');
    const pets = await animals(ask);
    expect(pets).toHaveLength(60);
    const petId = pets.find(({ status }) => status === 'available')?.id;
    const order = await ask('/store/orders', { method: 'POST', body: JSON.stringify({ petId }) });
    expect(order.status).toBe(201);
  });

  test('uses no database of the environment, which is there in the image', async () => {
    const environment = { DATABASE_URL: 'sqlite:mine.db', REDIS_URL: 'redis://127.0.0.1:1' };
    const { ask, program } = await startDemo([], environment);
    expect(await animals(ask)).toHaveLength(60);
    expect(readdirSync(program.directory)).toEqual([]);
    expect(program.written.out).not.toContain('redis');
  });

  test('calls itself without the proxy of the environment', async () => {
    const { ask } = await startDemo([], { HTTP_PROXY: 'http://127.0.0.1:1', http_proxy: 'http://127.0.0.1:1' });
    expect(await animals(ask)).toHaveLength(60);
  });

  test('leaves nothing behind when it ends', async () => {
    const { program } = await startDemo();
    const database = databaseOf(program);
    expect(existsSync(database as string)).toBeTrue();
    program.signal('SIGTERM');
    expect((await program.ended()).exitCode).toBe(0);
    expect(existsSync(database as string)).toBeFalse();
  });

  test('is as new again after the time that was asked for', async () => {
    const { ask, program } = await startDemo(['--reset-every', '1s']);
    const body = JSON.stringify({ name: 'A visitor', categoryId: 1 });
    // While the shop is made new, who writes is told to come again.
    await waitFor('the animal is added', async () => (await ask('/pets', { method: 'POST', body })).status === 201);
    // A reset may have begun before the pet came.
    const resets = () => program.written.out.match(/"event":"demo_reset"/g)?.length ?? 0;
    const before = resets();
    await waitFor('two resets are done', () => resets() >= before + 2 || undefined);
    expect((await animals(ask)).map(({ name }) => name)).not.toContain('A visitor');
    expect(await animals(ask)).toHaveLength(60);
  });

  test('continues with a new file and the same key when a reset fails', async () => {
    const { ask, program } = await startDemo(['--reset-every', '1s']);
    const database = databaseOf(program) as string;
    // The service notices within a second, and can write nothing more to the lost file.
    rmSync(database);
    const body = JSON.stringify({ name: 'A visitor', categoryId: 1 });
    const statuses = new Set<number | undefined>();
    const add = async () => {
      const status = (await ask('/pets', { method: 'POST', body }).catch(() => undefined))?.status;
      statuses.add(status);
      return status;
    };
    // Visitors go on while the file is replaced, and their key is valid from the first moment.
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
    expect(await animals(ask)).toHaveLength(60);
    expect(program.written.out.match(/"event":"demo_reset_failed"/g)).toHaveLength(1);
    program.signal('SIGTERM');
    expect((await program.ended()).exitCode).toBe(0);
    expect(existsSync(dirname(database))).toBeFalse();
  });

  test.each([
    [['--database-url', 'sqlite:mine.db'], 'leave --database-url out'],
    [['--environment', 'production'], 'leave --environment out'],
    [['--reset-every', '0h'], 'a duration such as 90s'],
    [['--reset-every', '25d'], 'at most 24d'],
  ])('is refused with %p', async (args, words) => {
    const { exitCode, err } = await start(args).ended();
    expect({ exitCode, err }).toEqual({ exitCode: 2, err: expect.stringContaining(words) });
  });

  test('alone is reset', async () => {
    const command = [...PROGRAM, 'serve', '--reset-every', '1h'];
    const { exitCode, err } = await bench.start({ directory: bench.directory(), command }).ended();
    expect({ exitCode, err }).toEqual({ exitCode: 2, err: expect.stringContaining('--reset-every needs --demo') });
  });
});

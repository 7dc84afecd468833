import { afterAll, describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { createWorkbench, PROGRAM, type Program } from './program.ts';
import { waitFor } from './wait-for.ts';

const bench = createWorkbench();
const demos: Program[] = [];
afterAll(async () => {
  // One that is killed cannot remove its files.
  for (const demo of demos) demo.signal('SIGTERM');
  await Promise.all(demos.map((demo) => demo.ended()));
  await bench.clear();
});

const start = (args: readonly string[], environment: Record<string, string> = {}) =>
  bench.start({ directory: bench.directory(), environment, command: [...PROGRAM, 'serve', '--demo', ...args] });

const startDemo = async (...args: string[]) => {
  const program = start(args);
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

  test('leaves nothing behind when it ends', async () => {
    const { program } = await startDemo();
    const open = `/proc/${program.child.pid}/fd`;
    const files = readdirSync(open).map((fd) => readlinkSync(`${open}/${fd}`));
    const database = files.find((path) => path.endsWith('petstore.db'));
    expect(existsSync(database as string)).toBeTrue();
    program.signal('SIGTERM');
    expect((await program.ended()).exitCode).toBe(0);
    expect(existsSync(database as string)).toBeFalse();
  });

  test('is as new again after the time that was asked for', async () => {
    const { ask } = await startDemo('--reset-every', '1s');
    const created = await ask('/pets', { method: 'POST', body: JSON.stringify({ name: 'A visitor', categoryId: 1 }) });
    expect(created.status).toBe(201);
    await waitFor('the animal is gone', async () =>
      (await animals(ask)).some(({ name }) => name === 'A visitor') ? undefined : true,
    );
    expect(await animals(ask)).toHaveLength(60);
  });

  test.each([
    [['--database-url', 'sqlite:mine.db'], 'leave DATABASE_URL out'],
    [['--environment', 'production'], 'leave PETSTORE_ENVIRONMENT out'],
    [['--reset-every', '0h'], 'a time like 90s'],
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

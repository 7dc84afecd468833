import { afterAll, beforeAll, expect, test } from 'bun:test';
import { CONTRACTS } from '../src/contracts.ts';
import { createWorkbench, PROGRAM } from './program.ts';
import { ADMIN_KEY, type Service, startService } from './service.ts';

const bench = createWorkbench();
let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  await bench.clear();
  await service.stop();
});

const run = (...args: string[]) =>
  bench
    .start({
      directory: bench.directory(),
      command: [...PROGRAM, ...args],
      environment: { PETSTORE_URL: service.url('/v1'), PETSTORE_ADMIN_KEY: ADMIN_KEY },
    })
    .ended();

test('petstore --version prints the version', async () => {
  expect(await run('--version')).toEqual({ exitCode: 0, out: '1.0.0\n', err: '' });
});

test('petstore --help lists every group with its commands, and the help of a command shows its usage', async () => {
  const { exitCode, out, err } = await run('--help');
  expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' });
  for (const { command } of CONTRACTS.filter(({ stream }) => !stream)) {
    const [group, verb] = command.split(' ');
    expect(out.replaceAll(/,\n +/g, ', ')).toMatch(new RegExp(`^  petstore ${group} .*\\b${verb}\\b`, 'm'));
  }
  const { out: help } = await run('pets', 'create', '-h');
  expect(help).toContain('\n  petstore pets create --name <text> --category-id <n> [flags]\n');
});

test('a response goes to standard output, with exit code 0', async () => {
  const { exitCode, out, err } = await run('keys', 'create', '--name', 'desk', '--plan', 'free', '--json');
  expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' });
  expect(JSON.parse(out)).toMatchObject({ name: 'desk', plan: 'free', key: expect.stringMatching(/^ps_live_/) });
});

test('a response larger than a pipe buffer arrives complete', async () => {
  for (let index = 0; index < 100; index++) {
    await service.post('/v1/pets', { name: `${index}${'🐕'.repeat(250)}`, categoryId: 5 });
  }
  const { text } = await service.get('/v1/pets?categoryId=5&limit=100');
  expect(text.length).toBeGreaterThan(50_000);
  expect(await run('pets', 'list', '--category-id=5', '--limit=100', '--json')).toEqual({
    exitCode: 0,
    out: `${text}\n`,
    err: '',
  });
});

test('an error goes to standard error, with exit code 1', async () => {
  expect(await run('pets', 'list', '--status', 'lost')).toEqual({
    exitCode: 1,
    out: '',
    err: 'petstore: --status must be one of available, pending, sold\nTry: petstore pets list --help\n',
  });
});

test.each([
  [['pets', 'adopt'], 'unknown command "pets adopt"', 'petstore pets'],
  [['pets', 'list', '--colour', 'red'], 'unknown flag --colour', 'petstore pets list --help'],
])('%j is a usage error, with exit code 2', async (args, message, hint) => {
  expect(await run(...args)).toEqual({ exitCode: 2, out: '', err: `petstore: ${message}\nTry: ${hint}\n` });
});

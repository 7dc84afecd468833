import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { displayWidth } from '../cli/output/text.ts';
import { lacks } from './needs.ts';
import { createWorkbench, PROGRAM } from './program.ts';
import { ADMIN_KEY, type Service, startService } from './service.ts';
import { waitFor } from './wait-for.ts';

const bench = createWorkbench();
let service: Service;
beforeAll(async () => {
  service = await startService();
  for (const name of ['Łatek', '小鳥', `Sir ${'x'.repeat(200)}`])
    await service.post('/v1/pets', { name, categoryId: 1 });
  await service.post('/v1/keys', { name: 'Front desk', plan: 'pro' });
});
afterAll(async () => {
  await bench.clear();
  await service.stop();
});

const RED = '\u001b[31m';

const start = (args: string, { columns = 80, ...environment }: Record<string, string | number> = {}) => {
  const directory = bench.directory();
  const program = PROGRAM.map((word) => `'${word}'`).join(' ');
  return bench.start({
    directory,
    command: ['script', '-qec', `stty cols ${columns}; exec ${program} ${args}`, '/dev/null'],
    environment: {
      ...{ PETSTORE_URL: service.url(''), TERM: 'xterm', XDG_CONFIG_HOME: join(directory, 'config') },
      ...(environment as Record<string, string>),
    },
  });
};

const show = async (args: string, environment: Record<string, string | number> = {}) => {
  const { exitCode, out } = await start(args, { PETSTORE_ADMIN_KEY: ADMIN_KEY, ...environment }).ended();
  const raw = out.replaceAll('\r\n', '\n').trimEnd();
  return { exitCode, raw, lines: stripVTControlCharacters(raw).split('\n') };
};

describe.skipIf(lacks('script'))('a command on a terminal', () => {
  test.each([40, 80, 120])('shows a table that fits %d columns, with the most useful fields first', async (columns) => {
    const pets = await show('pets list', { columns });
    expect(Math.max(...pets.lines.map(displayWidth))).toBeLessThanOrEqual(columns);
    expect(pets.lines[0]).toMatch(/^id {2}name/);
    const keys = await show('keys list', { columns });
    expect(Math.max(...keys.lines.map(displayWidth))).toBeLessThanOrEqual(columns);
    expect(keys.lines[0]).toMatch(columns < 80 ? /^id +name$/ : /^id +name +plan +state +last used/);
  });

  test('shows all columns with --wide, and only the named columns with --columns', async () => {
    expect((await show('keys list --wide')).lines.join('\n')).toContain('perMinute=300 perDay=10000');
    const { lines } = await show('keys list --columns name,limits,last-used');
    expect(lines[0]).toMatch(/^name +limits +last used$/);
    expect(lines.join('\n')).toMatch(/^Front desk {2}perMinute=300 perDay=10000 pets=100000 {6,} -$/m);
  });

  test('uses colours other than red, and shows how many columns it left out', async () => {
    const { raw, lines } = await show('keys list');
    expect(raw).toContain('\u001b[32mactive\u001b[0m');
    expect(raw).not.toContain(RED);
    expect(lines.at(-1)).toMatch(/^\d more columns with --wide$/);
  });

  test.each([{ NO_COLOR: '1' }, { TERM: 'dumb' }])('has no colours with %j', async (environment) => {
    expect((await show('keys list', environment)).raw).not.toContain('\u001b[');
  });

  test('has ISO times and no colours when its output is piped', async () => {
    const { raw } = await show('keys list | cat');
    expect(raw).not.toContain('\u001b[');
    expect(raw).toMatch(/ \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z /);
  });

  test('shows an error in red, with a command to try', async () => {
    const { exitCode, raw, lines } = await show('pets get 9007199254740991');
    expect(exitCode).toBe(1);
    expect(raw).toStartWith(`${RED}petstore:`);
    expect(lines.at(-1)).toBe('Try: petstore pets list');
  });

  test('prompts for the key of a login without echoing it', async () => {
    const program = start('login');
    await waitFor('the prompt for the key appears', () => program.written.out.includes('Key for '));
    program.child.stdin.write(`${ADMIN_KEY}\r`);
    program.child.stdin.flush();
    const { exitCode, out } = await program.ended();
    expect(exitCode).toBe(0);
    expect(out).toContain('Logged in to ');
    expect(out).not.toContain(ADMIN_KEY);
  });

  test('shows the progress of an import, and ends with one line', async () => {
    const file = join(bench.directory(), 'animals.csv');
    const rows = Array.from({ length: 3000 }, (_, index) => `Animal ${index},7`);
    writeFileSync(file, ['name,categoryId', ...rows].join('\n'));
    const { exitCode, raw } = await show(`pets import ${file}`);
    expect(exitCode).toBe(0);
    const shown = raw.split('\r\u001b[K');
    expect(shown[1]).toMatch(/^animals\.csv {2}█+░* {2}[\d,]+00 of 3,000 {3}[\d,]+\/s/);
    expect(Math.max(...shown.slice(0, -1).map(displayWidth))).toBeLessThan(80);
    expect(shown.at(-1)).toMatch(/^3,000 pets added from .*animals\.csv in \d+\.\d s$/);
  });

  const reply = async (args: string, question: string, text: string) => {
    const program = start(args, { PETSTORE_ADMIN_KEY: ADMIN_KEY });
    await waitFor('the question appears', () => program.written.out.includes(question));
    program.child.stdin.write(`${text}\r`);
    program.child.stdin.flush();
    return program.ended();
  };
  const add = async (): Promise<number> => (await service.post('/v1/pets', { name: 'Bo', categoryId: 3 })).body.id;

  test.each([
    ['y', 0, 404],
    ['YES', 0, 404],
    ['', 1, 200],
    ['no', 1, 200],
  ])('asks before pets delete; the reply %j ends it with exit code %d', async (text, exitCode, status) => {
    const id = await add();
    const ended = await reply(`pets delete ${id}`, `Delete a pet: ${id}. Continue? [y/N] `, text);
    expect(ended.exitCode).toBe(exitCode);
    expect(ended.out).toContain(exitCode === 0 ? `Pet deleted: ${id}` : 'petstore:');
    expect(await service.get(`/v1/pets/${id}`)).toMatchObject({ status });
  });

  test('does not ask with --yes, or without a keyboard', async () => {
    for (const flags of ['--yes', '< /dev/null']) {
      const id = await add();
      const { exitCode, raw } = await show(`pets delete ${id} ${flags}`);
      expect([exitCode, raw]).toEqual([0, `Pet deleted: ${id}`]);
    }
  });

  test('asks before pets export replaces a file', async () => {
    const file = join(bench.directory(), 'out.csv');
    const args = `pets export --category-id 3 --output ${file}`;
    writeFileSync(file, 'mine');
    const question = `${file} exists. Replace it? [y/N] `;
    expect(await reply(args, question, 'n')).toMatchObject({ exitCode: 1 });
    expect(readFileSync(file, 'utf8')).toBe('mine');
    expect(await reply(args, question, 'y')).toMatchObject({ exitCode: 0 });
    expect(readFileSync(file, 'utf8')).toStartWith('id,name,categoryId,status\n');
  });

  test('ends quietly when its pipe is closed', async () => {
    const { lines } = await show('pets list --all --ndjson | head -1');
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ name: 'Łatek' });
  });
});

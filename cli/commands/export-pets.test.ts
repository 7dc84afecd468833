import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NO_TERMINAL, runCommand } from '../../test/no-terminal.ts';
import { ADMIN_KEY, type Service, startService } from '../../test/service.ts';
import { createWriter } from './export-pets.ts';

const NAMES = ['=HYPERLINK("x")', 'Rex\u001b[31m', 'Mia'];

let service: Service;
let directory: string;
beforeAll(async () => {
  service = await startService();
  directory = mkdtempSync(join(tmpdir(), 'petstore-test-'));
  for (const name of NAMES) await service.post('/v1/pets', { name, categoryId: 7 });
  await service.post('/v1/pets', { name: 'Sold', categoryId: 7, status: 'sold' });
});
afterAll(async () => {
  rmSync(directory, { recursive: true });
  await service.stop();
});

let file: string;
beforeEach(() => {
  file = join(directory, `${crypto.randomUUID()}.csv`);
});

const run = async (args: string, { reply, columns }: { reply?: string; columns?: number } = {}) => {
  const printed: string[] = [];
  const environment = { PETSTORE_URL: service.url(''), PETSTORE_API_KEY: ADMIN_KEY };
  const print = async (text: string) => void printed.push(text);
  const terminal = { ...NO_TERMINAL, columns, print, ask: async () => reply };
  const command = ['pets', 'export', ...args.split(' ').filter(Boolean)];
  return { ...(await runCommand(command, environment, terminal)), printed: printed.join('') };
};

describe('pets export', () => {
  test('asks before it replaces a file, and fails if the reply is no', async () => {
    writeFileSync(file, 'old');
    expect(await run(`--output ${file}`, { reply: 'n' })).toMatchObject({
      exitCode: 1,
      err: `petstore: nothing was written: ${file} exists`,
    });
    expect(readFileSync(file, 'utf8')).toBe('old');
    expect(await run(`--output ${file}`, { reply: 'y' })).toMatchObject({ exitCode: 0 });
    expect(readFileSync(file, 'utf8')).toStartWith('id,name,categoryId,status\n');
  });

  test('replaces a file without a keyboard only with --overwrite', async () => {
    writeFileSync(file, 'old');
    expect(await run(`--output ${file}`).catch(({ message }: Error) => message)).toBe(
      `--output: ${file} exists; add --overwrite to replace it`,
    );
    expect(readFileSync(file, 'utf8')).toBe('old');
    expect(await run(`--output ${file} --overwrite`)).toMatchObject({ exitCode: 0, err: `4 pets written to ${file}` });
  });

  test('writes formulas as text, unless the export is raw', async () => {
    await run(`--output ${file}`);
    expect(readFileSync(file, 'utf8')).toContain(`,"'=HYPERLINK(""x"")",`);
    await run(`--output ${file} --raw --overwrite`);
    expect(readFileSync(file, 'utf8')).toContain(',"=HYPERLINK(""x"")",');
  });

  test('escapes control characters on a terminal, but changes nothing in a pipe', async () => {
    expect((await run('--format csv', { columns: 80 })).printed).toContain('Rex\\u001b[31m');
    expect((await run('--format csv')).printed).toContain('Rex\u001b[31m');
  });

  test('has only the pets that match the filters', async () => {
    const { printed } = await run('--status sold');
    expect(
      printed
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).name),
    ).toEqual(['Sold']);
  });

  test('is one JSON array, however many pieces it is written in', () => {
    const { start, piece, end } = createWriter('json', ['id']);
    const text = start + piece([{ id: 1 }, { id: 2 }], 0) + piece([{ id: 3 }], 2) + end;
    expect(JSON.parse(text)).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
  });
});

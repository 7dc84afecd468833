import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NO_TERMINAL, runCommand } from '../../test/no-terminal.ts';
import { createWorkbench, PROGRAM } from '../../test/program.ts';
import { ADMIN_KEY, type Service, startService } from '../../test/service.ts';
import { waitFor } from '../../test/wait-for.ts';
import type { Terminal } from '../output/terminal.ts';

let service: Service;
let directory: string;
const bench = createWorkbench();
beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  await bench.clear();
  await service.stop();
});
beforeEach(() => {
  directory = bench.directory();
});

const environment = () => ({ PETSTORE_URL: service.url(''), PETSTORE_API_KEY: ADMIN_KEY });

const run = (command: string, terminal: Partial<Terminal> = {}) =>
  runCommand(command.split(' '), environment(), { ...NO_TERMINAL, ...terminal });

const write = (name: string, text: string): string => {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
};

const total = async (): Promise<number> => {
  const { available, pending, sold } = (await service.get('/v1/store/inventory')).body;
  return available + pending + sold;
};

let category = 5000;
const fresh = () => ++category;
const listed = async (categoryId: number): Promise<{ name: string; status: string }[]> =>
  (await service.get(`/v1/pets?categoryId=${categoryId}&limit=100`)).body;

const rows = (count: number, categoryId: number): string =>
  ['name,categoryId', ...Array.from({ length: count }, (_, index) => `Animal ${index},${categoryId}`)].join('\n');

describe('pets import', () => {
  test('adds the pets of a file in order, and prints their number', async () => {
    const categoryId = fresh();
    const file = write('a.csv', `name,categoryId,status\nRex,${categoryId},sold\n小鳥,${categoryId},\n`);
    const { exitCode, out } = await run(`pets import ${file}`);
    expect([exitCode, out]).toEqual([
      0,
      expect.stringMatching(new RegExp(`^2 pets added from ${file} in \\d+\\.\\d s$`)),
    ]);
    expect(await listed(categoryId)).toMatchObject([
      { name: 'Rex', status: 'sold' },
      { name: '小鳥', status: 'available' },
    ]);
  });

  test('reads standard input, in any format', async () => {
    const categoryId = fresh();
    const input = async function* () {
      yield Buffer.from(`[{"name":"Rex","categoryId":${categoryId}},`);
      yield Buffer.from(`{"name":"Bo","categoryId":${categoryId}}]`);
    };
    expect(await run('pets import -', { input })).toMatchObject({ exitCode: 0 });
    expect((await listed(categoryId)).map(({ name }) => name)).toEqual(['Rex', 'Bo']);
  });

  test('sends nothing if a row is invalid, and lists each invalid row with line, field and reason', async () => {
    const before = await total();
    const file = write('bad.csv', 'name,categoryId\nRex,1\n,2\nBo,x\n');
    const { exitCode, err = '' } = await run(`pets import ${file}`);
    expect(exitCode).toBe(1);
    expect(err.split('\n')).toEqual([
      `petstore: ${file}: 2 of 3 rows are invalid; nothing was sent`,
      '  line 3  name        must not be empty or only white space',
      '  line 4  categoryId  must be the name of one category, or an integer from -2^63 to 2^63-1',
      `Try: petstore pets import ${file} --continue (imports the valid rows, and writes the others to ${join(directory, 'bad.rejected.csv')})`,
    ]);
    expect(await total()).toBe(before);
  });

  test('numbers the invalid rows of an array that is one long line', async () => {
    const rows = Array.from({ length: 30 }, (_, index) => ({ name: index % 2 === 0 ? 'Rex' : '', categoryId: 1 }));
    const { err = '' } = await run(`pets import ${write('bad.json', JSON.stringify(rows))}`);
    const lines = err.split('\n').filter((line) => line.startsWith('  item'));
    expect(lines).toEqual(
      rows.flatMap(({ name }, index) =>
        name ? [] : [expect.stringMatching(new RegExp(`^  item ${index + 1}, line 1 +name +must not be empty`))],
      ),
    );
    expect(lines).toHaveLength(15);
    expect(err).not.toContain('more');
  });

  test('skips invalid rows with --continue, and writes them to a file that can be corrected and imported', async () => {
    const categoryId = fresh();
    const file = write(
      'bad.csv',
      `name,categoryId,status\nRex,${categoryId},sold\n,${categoryId},\nBo,${categoryId},lost\n`,
    );
    const rejected = join(directory, 'bad.rejected.csv');
    const { exitCode, out } = await run(`pets import ${file} --continue`);
    expect([exitCode, out]).toEqual([
      0,
      expect.stringMatching(new RegExp(`^1 pet added .*; the invalid rows are in ${rejected}$`)),
    ]);
    const kept = readFileSync(rejected, 'utf8');
    expect(kept.split('\n')).toEqual([
      'name,categoryId,status,reason',
      `,${categoryId},,name must not be empty or only white space`,
      `Bo,${categoryId},lost,"status must be one of available, pending, sold"`,
      '',
    ]);
    const corrected = write('corrected.csv', kept.replace('\n,', '\nAda,').replace(',lost,', ',sold,'));
    expect(await run(`pets import ${corrected}`)).toMatchObject({ exitCode: 0 });
    expect((await listed(categoryId)).map(({ name }) => name)).toEqual(['Rex', 'Ada', 'Bo']);
  });

  test('sends nothing with --dry-run', async () => {
    const before = await total();
    const file = write('a.ndjson', '{"name":"Rex","categoryId":1}\n');
    expect(await run(`pets import ${file} --dry-run`)).toEqual({
      exitCode: 0,
      out: `${file}: 1 row checked, all valid; nothing was sent`,
    });
    const bad = write('bad.ndjson', '{"name":"Rex"}\n');
    expect(await run(`pets import ${bad} --dry-run --continue`)).toMatchObject({ exitCode: 1 });
    expect([await total(), existsSync(join(directory, 'bad.rejected.ndjson'))]).toEqual([before, false]);
  });

  test('adds a file only once, unless --again is given', async () => {
    const categoryId = fresh();
    const file = write('a.csv', rows(3, categoryId));
    await run(`pets import ${file}`);
    const { out } = await run(`pets import ${file}`);
    expect(out).toMatch(/^0 pets added .*; 3 already added by an import of the same file in the last 24 hours$/);
    expect(await listed(categoryId)).toHaveLength(3);
    await run(`pets import ${file} --again`);
    expect(await listed(categoryId)).toHaveLength(6);
  });

  test('shows its progress in a line that it clears at the end', async () => {
    let now = 0;
    const shown: string[] = [];
    const clock = () => (now += 500);
    const file = write('a.csv', rows(3000, fresh()));
    await run(`pets import ${file}`, { clock, showProgress: (text) => shown.push(text) });
    expect(shown.at(-1)).toBe('');
    expect(shown.length).toBeGreaterThan(3);
    expect(shown[0]).toBe(`a.csv  ████░░░░░░░░░░░░░░░░░░░░  500 of 3,000   1,000/s   3 s left`);
  });

  test('prints after a refusal how many pets were added, and how to resume', async () => {
    const { body } = await service.post('/v1/keys', {
      ...{ name: 'small', plan: 'enterprise', limits: { perMinute: 1000, perDay: 15 } },
    });
    const file = write('a.csv', rows(2500, fresh()));
    const { exitCode, err = '' } = await runCommand(['pets', 'import', file], {
      ...environment(),
      PETSTORE_API_KEY: body.key,
    });
    expect(exitCode).toBe(1);
    expect(err).toContain('(daily_quota_exceeded)');
    // A batch of 500 pets uses five requests of the quota: one when the batch arrives, and four more later. If two
    // batches arrive together when only five requests are left, each uses one. The remaining three are too few for
    // either batch, so both are refused.
    expect(err).toMatch(
      /1,[05]00 pets added so far\. To resume, run the same command again within 24 hours: no pet is added twice\.$/,
    );
  });

  test('resumes after a kill when it is run again, and adds nothing twice', async () => {
    const COUNT = 30_000;
    const before = await total();
    const file = write('many.csv', rows(COUNT, fresh()));
    const start = () =>
      bench.start({ directory, command: [...PROGRAM, 'pets', 'import', file], environment: environment() });
    const first = start();
    await waitFor('some pets are added', async () => (await total()) > before || undefined);
    await first.kill();
    const afterKill = (await total()) - before;
    expect(afterKill).toBeLessThan(COUNT);
    const { exitCode, out } = await start().ended();
    expect([exitCode, out]).toEqual([0, expect.stringContaining('already added by an import')]);
    expect((await total()) - before).toBe(COUNT);
  });

  test('adds nothing if another version started it with different batches, and explains how to finish it', async () => {
    const text = rows(3, fresh());
    const file = write('a.csv', text);
    const digest = new Bun.CryptoHasher('sha256').update(text).digest('hex');
    const headers = { 'Idempotency-Key': `import-${digest.slice(0, 32)}-1` };
    const { status } = await service.post('/v1/pets/batch', { pets: [{ name: 'Rex', categoryId: 1 }] }, { headers });
    const before = await total();
    const { exitCode, err = '' } = await run(`pets import ${file}`);
    expect([status, exitCode, await total()]).toEqual([201, 1, before]);
    expect(err).toStartWith(
      `petstore: another version of petstore imported all or part of ${file} in the last 24 hours`,
    );
    expect(err).not.toContain('To resume');
  });

  test('prints on Ctrl-C how to resume, and leaves no file behind', async () => {
    const before = await total();
    const command = [...PROGRAM, 'pets', 'import', '-'];
    const program = bench.start({ directory, command, environment: { ...environment(), TMPDIR: directory } });
    program.child.stdin.write(rows(30_000, fresh()));
    program.child.stdin.end();
    await waitFor('some pets are added', async () => (await total()) > before || undefined);
    program.signal('SIGINT');
    expect(await program.ended()).toMatchObject({
      exitCode: 130,
      err: expect.stringMatching(/^Cancelled\. [\d,]+ pets added so far\. To resume, run the same command again /),
    });
    expect(readdirSync(directory)).toEqual([]);
  });

  test('waits for a service that restarts', async () => {
    let asked = 0;
    const away = () => Response.json({ code: 'unavailable', message: 'later', status: 503 }, { status: 503 });
    using starting = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: (request) => {
        asked += 1;
        return asked <= 3 ? away() : fetch(service.url(new URL(request.url).pathname), request);
      },
    });
    const categoryId = fresh();
    const file = write('a.csv', rows(2, categoryId));
    const PETSTORE_URL = `http://127.0.0.1:${starting.port}`;
    const { exitCode } = await runCommand(['pets', 'import', file], { ...environment(), PETSTORE_URL });
    expect([exitCode, (await listed(categoryId)).length]).toEqual([0, 2]);
  });

  test('names the file that it cannot write with --continue, and sends nothing', async () => {
    const before = await total();
    const file = write('bad.csv', 'name,categoryId\nRex,1\n,2\n');
    mkdirSync(join(directory, 'bad.rejected.csv'));
    const refused = `cannot write the invalid rows to ${join(directory, 'bad.rejected.csv')}: it is a folder`;
    await expect(run(`pets import ${file} --continue`)).rejects.toThrow(refused);
    expect(await total()).toBe(before);
  });

  test('refuses an empty file', async () => {
    expect(await run(`pets import ${write('none.csv', '')}`)).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('is empty; its first line must name the columns'),
    });
  });

  test('refuses a folder', async () => {
    await expect(run(`pets import ${directory}`)).rejects.toThrow('it is a folder');
  });

  test.each([
    ['pets import nowhere.csv', 'cannot read nowhere.csv: no such file or folder'],
    ['pets import', '<file> is missing'],
    ['pets import a.csv --format xml', 'cannot read a.csv'],
  ])('%s is refused', async (command, message) => {
    await expect(run(command)).rejects.toThrow(message);
  });
});

describe('pets export', () => {
  test.each(['csv', 'ndjson', 'json'])('writes a file in %s that imports unchanged', async (format) => {
    const categoryId = fresh();
    const names = [
      'Rex',
      'Sir "Quoted", the 1st',
      'two\nlines',
      ' 小鳥 ',
      '007',
      '=1+1',
      "'=1",
      "''-",
      "'tis",
      '\t'.concat('x'),
      `=${'x'.repeat(254)}`,
    ];
    for (const name of names) await service.post('/v1/pets', { name, categoryId, status: 'sold' });
    const file = join(directory, `out.${format}`);
    expect(await run(`pets export --category-id ${categoryId} --output ${file}`)).toEqual({
      exitCode: 0,
      err: `11 pets written to ${file}`,
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await run(`pets import ${file}`)).toMatchObject({ exitCode: 0 });
    expect((await listed(categoryId)).map(({ name }) => name)).toEqual([...names, ...names]);
  });

  test('writes all pages to standard output, with the filters of the list', async () => {
    const categoryId = fresh();
    await run(`pets import ${write('a.csv', rows(250, categoryId))}`);
    let out = '';
    const print = async (text: string) => {
      out += text;
    };
    await run(`pets export --category-id ${categoryId} --order desc`, { print });
    const names = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).name);
    expect(names).toEqual(Array.from({ length: 250 }, (_, index) => `Animal ${249 - index}`));
  });

  const FORMULAS = ['=HYPERLINK("http://example.org")', '+1', '-1', '@SUM(A1)', '\tx', '\rx', '＝1', "'=1"];
  const exported = async (categoryId: number, flags: string): Promise<[string, string[]]> => {
    const file = join(directory, 'sheet.csv');
    await run(`pets export --category-id ${categoryId} --output ${file}${flags}`);
    const [, ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n');
    const end = `,${categoryId},available`;
    return [file, lines.map((line) => line.slice(line.indexOf(',') + 1, -end.length))];
  };

  test('writes CSV in which no name is a formula', async () => {
    const categoryId = -fresh();
    for (const name of [...FORMULAS, 'a=1', "'"]) await service.post('/v1/pets', { name, categoryId });
    const [file, names] = await exported(categoryId, '');
    expect(names).toEqual([
      `"'=HYPERLINK(""http://example.org"")"`,
      ...[`'+1`, `'-1`, `'@SUM(A1)`, `"'\tx"`, `"'\rx"`, `'＝1`, `''=1`, 'a=1', `'`],
    ]);
    await run(`pets import ${file} --raw`);
    expect((await listed(categoryId)).map(({ name }) => name).slice(-3)).toEqual(["''=1", 'a=1', "'"]);
  });

  test('writes names unchanged with --raw, and imports them unchanged with --raw', async () => {
    const categoryId = fresh();
    for (const name of FORMULAS) await service.post('/v1/pets', { name, categoryId });
    const [file, [first]] = await exported(categoryId, ' --raw');
    expect(first).toBe(`"=HYPERLINK(""http://example.org"")"`);
    await run(`pets import ${file} --raw`);
    expect((await listed(categoryId)).map(({ name }) => name)).toEqual([...FORMULAS, ...FORMULAS]);
  });

  test('leaves no partial file when the service refuses', async () => {
    const file = join(directory, 'out.csv');
    expect(await run(`pets export --status lost --output ${file}`)).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('--status must be one of'),
    });
    expect([existsSync(file), existsSync(`${file}.part`)]).toEqual([false, false]);
  });
});

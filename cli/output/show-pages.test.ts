import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { NO_TERMINAL, runCommand } from '../../test/no-terminal.ts';
import { ADMIN_KEY, type Service, startService } from '../../test/service.ts';

const COUNT = 230;

let service: Service;
beforeAll(async () => {
  service = await startService();
  await Promise.all(
    Array.from({ length: COUNT }, (_, index) =>
      service.post('/v1/pets', `{"name":"Pet ${index}","categoryId":9223372036854775807}`),
    ),
  );
});
afterAll(() => service.stop());

const run = async (command: string) => {
  const printed: string[] = [];
  const environment = { PETSTORE_URL: service.url(''), PETSTORE_API_KEY: ADMIN_KEY };
  const print = async (text: string) => {
    printed.push(text);
  };
  const { exitCode, out, err } = await runCommand(command.split(' '), environment, { ...NO_TERMINAL, print });
  const end = out === undefined ? '' : `${out}\n`;
  return { exitCode, out: printed.join('') + end, err, pages: printed.length };
};

const ids = (rows: { id: number }[]) => rows.map(({ id }) => id);

describe('--all', () => {
  test('shows every row of a list once, and no cursor', async () => {
    const { out, err } = await run('pets list --all');
    expect(err).toBeUndefined();
    const shown = out.trimEnd().split('\n').slice(1);
    expect(new Set(shown.map((line) => line.split(' ')[0])).size).toBe(COUNT);
  });

  test('with --json is one array, written page by page, with every digit', async () => {
    const { out, pages } = await run('pets list --all --json --order desc');
    expect(pages).toBe(3);
    const rows = JSON.parse(out);
    expect(rows).toHaveLength(COUNT);
    expect(ids(rows)).toEqual(ids(rows).toSorted((a, b) => b - a));
    expect(out).toContain('"categoryId":9223372036854775807');
  });

  test('with --ndjson is one line per row, written page by page', async () => {
    const { out, pages } = await run('pets list --all --ndjson --limit 50');
    expect(pages).toBe(5);
    const rows = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(new Set(ids(rows)).size).toBe(COUNT);
  });

  test('of an empty list prints an empty array, nothing, or "none"', async () => {
    expect((await run('pets list --all --json --category-id 5')).out).toBe('[]\n');
    expect((await run('pets list --all --ndjson --category-id 5')).out).toBe('');
    expect((await run('pets list --all --category-id 5')).out).toBe('none\n');
  });
});

describe('one page', () => {
  test('with --ndjson shows the next cursor on standard error', async () => {
    const { out, err } = await run('pets list --ndjson --limit 2');
    expect(out.trimEnd().split('\n')).toHaveLength(2);
    expect(err).toMatch(/^next page: --cursor \S+$/);
  });

  test('with --columns shows these columns, in any spelling', async () => {
    const { out } = await run('pets list --columns name,category-id,ID --limit 1');
    expect(out).toMatch(/^name +categoryId +id\nPet \d+ +9223372036854775807 +\d+\n$/);
  });

  test('with an unknown column is refused before any request', async () => {
    await expect(run('pets list --columns naem')).rejects.toMatchObject({
      message: '--columns: unknown column "naem"; did you mean name? known columns: id, name, categoryId, status',
      hint: 'petstore pets list --help',
    });
  });
});

describe('a wait for the service', () => {
  const waitOnce = async (flags: string): Promise<string[]> => {
    let asked = 0;
    const away = () => Response.json({ code: 'unavailable', message: 'Away', status: 503 }, { status: 503 });
    using starting = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: () => (++asked === 1 ? away() : Response.json([])),
    });
    const notes: string[] = [];
    const environment = { PETSTORE_URL: `http://127.0.0.1:${starting.port}`, PETSTORE_API_KEY: ADMIN_KEY };
    const terminal = { ...NO_TERMINAL, tell: (text: string) => notes.push(text) > 0 };
    const { exitCode } = await runCommand(['pets', 'list', '--all', ...flags.split(' ')], environment, terminal);
    expect([exitCode, asked]).toEqual([0, 2]);
    return notes;
  };

  test('is shown as a note, in JSON for programs', async () => {
    expect(await waitOnce('--wide')).toEqual([expect.stringMatching(/^petstore: .*Retrying in \d+ s/)]);
    for (const flag of ['--json', '--ndjson']) {
      const [note = '', ...more] = await waitOnce(flag);
      expect([JSON.parse(note), more]).toEqual([{ note: expect.stringMatching(/^[^:]*Retrying in \d+ s/) }, []]);
    }
  });
});

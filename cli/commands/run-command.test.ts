import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { parseJson } from '../../src/kernel/json.ts';
import { runCommand } from '../../test/no-terminal.ts';
import { freePort } from '../../test/servers/server-process.ts';
import { ADMIN_KEY, type Service, startService } from '../../test/service.ts';
import { BadUsage } from '../args/read-arguments.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const environment = (key = ADMIN_KEY) => ({ PETSTORE_URL: service.url(''), PETSTORE_API_KEY: key });

const run = (command: string, ...more: string[]) => runCommand([...command.split(' '), ...more], environment());

const runJson = async (command: string): Promise<any> => {
  const { exitCode, out = '', err } = await run(`${command} --json`);
  if (exitCode !== 0) throw new Error(err);
  return parseJson(out);
};

describe('keys create', () => {
  const plans: [string, string, object][] = [
    ['free', '', { perMinute: 60, perDay: 1000, pets: 10_000 }],
    ['pro', '', { perMinute: 300, perDay: 10_000 }],
    ['business', '', { perMinute: 1000, perDay: 100_000 }],
    ['enterprise', ' --per-minute 5000 --per-day 1000000', { perMinute: 5000, perDay: 1_000_000, pets: null }],
    ['enterprise', ' --per-minute 50 --per-day 500 --pets 5', { perMinute: 50, perDay: 500, pets: 5 }],
  ];
  test.each(plans)('issues a working key on the plan %s', async (plan, flags, limits) => {
    const issued = await runJson(`keys create --name desk --plan ${plan}${flags}`);
    expect(issued).toMatchObject({ name: 'desk', plan, limits });
    const { headers } = await service.get('/v1/pets', { key: issued.key });
    expect(headers.get('x-ratelimit-limit')).toBe(String((limits as { perMinute: number }).perMinute));
  });

  test('accepts scopes, an expiry and a store', async () => {
    const end = '2030-01-31T12:00:00.000Z';
    const issued = await runJson(
      `keys create --name desk --plan pro --scopes pets:read,orders:read --expires-at ${end} --store-id 7`,
    );
    expect(issued).toMatchObject({ scopes: ['pets:read', 'orders:read'], expiresAt: end, storeId: 7 });
  });

  test('shows the key with one line per field', async () => {
    const { exitCode, out = '' } = await run('keys create --plan pro --name', 'Front desk');
    expect(exitCode).toBe(0);
    expect(out).toMatch(/^name +Front desk$/m);
    expect(out).toMatch(/^limits +perMinute=300 perDay=10000 pets=100000$/m);
    expect(out).toMatch(/^scopes +pets:read pets:write orders:read orders:write$/m);
    expect(out).toMatch(/^expiresAt +-$/m);
    expect(out).toMatch(/^key +ps_live_[0-9A-Za-z]{36}$/m);
  });

  test('writes refusals to standard error, with exit code 1', async () => {
    expect(await run('keys create --name desk --plan enterprise')).toMatchObject({
      exitCode: 1,
      err: 'petstore: --per-minute and --per-day are required on the enterprise plan\nTry: petstore keys create --help',
    });
  });
});

describe('pets create, list and get', () => {
  test('keep every digit of an int64', async () => {
    const categoryId = '9223372036854775807';
    const { out = '' } = await run(`pets create --name Rex --category-id ${categoryId} --json`);
    expect(out).toContain(`"categoryId":${categoryId},`);
    const { id } = parseJson(out) as { id: number };
    const table = `id          ${id}\nname        Rex\ncategoryId  ${categoryId}\nstatus      available`;
    expect(await run(`pets get ${id}`)).toEqual({ exitCode: 0, out: table });
  });

  test('accept negative numbers', async () => {
    expect(await runJson('pets create --name Rex --category-id -9223372036854775808')).toMatchObject({
      categoryId: -9223372036854775808n,
    });
  });

  test('show a list as columns, in the order of the ids', async () => {
    const first = await runJson('pets create --name Ada --category-id 77 --status sold');
    const second = await runJson('pets create --name Bartholomew --category-id 77');
    const { out = '' } = await run('pets list --category-id 77');
    expect(out.split('\n').map((line) => line.split(/ +/))).toEqual([
      ['id', 'name', 'categoryId', 'status'],
      [String(first.id), 'Ada', '77', 'sold'],
      [String(second.id), 'Bartholomew', '77', 'available'],
    ]);
    expect(await runJson(`pets list --ids ${first.id},${second.id} --order desc`)).toEqual([second, first]);
    expect(await runJson(`pets list --ids ${first.id} --order desc --ids=${second.id}`)).toEqual([second, first]);
    expect(await runJson('pets list --category-id 77 --status sold')).toEqual([first]);
  });

  test('print the unchanged response with --json', async () => {
    await run('pets create --name Rex --category-id 78');
    const { text } = await service.get('/v1/pets?categoryId=78');
    expect(await run('pets list --category-id 78 --json')).toEqual({ exitCode: 0, out: text });
  });

  test('print a message for an empty list', async () => {
    expect(await run('pets list --category-id 404')).toEqual({ exitCode: 0, out: 'none' });
  });

  test('show the cursor of the next page', async () => {
    for (const name of ['Ada', 'Bo', 'Cleo']) await run(`pets create --name ${name} --category-id 79`);
    const first = await run('pets list --category-id 79 --limit 2 --json');
    const [, cursor] = /^next page: (--cursor \S+)$/.exec(first.err ?? '') ?? [];
    const rest = await run(`pets list --category-id 79 --limit 2 --json ${cursor}`);
    expect(parseJson(rest.out ?? '')).toMatchObject([{ name: 'Cleo' }]);
    expect(rest.err).toBeUndefined();
  });

  test('escape control characters', async () => {
    const { id } = (await service.post('/v1/pets', { name: 'Re\u001b[2Jx\n', categoryId: 1 })).body;
    const { out = '' } = await run(`pets get ${id}`);
    expect(out).toContain('name        Re\\u001b[2Jx\\u000a\n');
  });

  test('write refusals to standard error, with exit code 1', async () => {
    expect(await run('pets create --name Rex --category-id dog')).toMatchObject({
      exitCode: 1,
      err: expect.stringMatching(/^petstore: --category-id must be an integer/),
    });
    expect(await run('pets get 9007199254740991')).toMatchObject({
      exitCode: 1,
      err: expect.stringMatching(/^petstore: .*\(not_found\)\nTry: petstore pets list$/),
    });
    expect(await run('pets list --limit 101')).toMatchObject({
      exitCode: 1,
      err: expect.stringMatching(/^petstore: --limit must be /),
    });
  });
});

describe('store inventory', () => {
  test('counts the pets', async () => {
    const { body } = await service.get('/v1/store/inventory');
    expect(await runJson('store inventory')).toEqual(body);
  });
});

describe('an invalid command', () => {
  const wrong: [string, string][] = [
    ['pets adopt', 'unknown command "pets adopt"'],
    ['pets lits', 'unknown command "pets lits"; did you mean petstore pets list?'],
    ['pet list', 'unknown command "pet list"; did you mean petstore pets list?'],
    ['list pets', 'unknown command "list pets"; did you mean petstore pets list?'],
    ['categories new', 'unknown command "categories new"; did you mean petstore categories create?'],
    ['events tail', 'unknown command "events tail"; did you mean petstore events follow?'],
    ['logn', 'unknown command "logn"; did you mean petstore login?'],
    ['pets create --name Rex --colour red', 'unknown flag --colour'],
    ['pets list --stauts sold', 'unknown flag --stauts; did you mean --status?'],
    ['pets create --status sold', '--name and --category-id are missing'],
    ['pets list --limit', '--limit needs a value'],
    ['pets list --limit --json', '--limit needs a value; if the value is --json, write --limit=--json'],
    ['pets list --limit 1 --limit 2', '--limit was given twice'],
    ['pets list --json=yes', '--json takes no value'],
    ['pets get', '<petId> is missing'],
    ['pets get 1 2', 'unexpected argument "2"'],
    ['keys usage ..', '".." is not a valid id'],
    ['pets get .', '"." is not a valid id'],
  ];
  test.each(wrong)('%s is refused before anything is sent', async (command, message) => {
    await expect(run(command)).rejects.toMatchObject({ constructor: BadUsage, message });
  });

  test('without a key is refused', async () => {
    await expect(runCommand(['pets', 'list'], { PETSTORE_URL: service.url('') })).rejects.toThrow(
      `no key for ${service.url('')}: log in, or set PETSTORE_API_KEY`,
    );
  });

  test('with a key that is not a valid header value is refused', async () => {
    await expect(runCommand(['pets', 'list'], environment('schlüssel\n'))).rejects.toThrow(BadUsage);
  });
});

describe('an unexpected response', () => {
  test('to an unknown key suggests petstore login', async () => {
    expect(await runCommand(['pets', 'list'], environment('unknown'))).toMatchObject({
      exitCode: 1,
      err: 'petstore: The API key is unknown, expired or revoked. Check the key, or ask the operator for a new one. (invalid_api_key)\nTry: petstore login',
    });
  });

  test.each([
    ['pets get 1', 'null'],
    ['pets get 1', '"text"'],
    ['pets list', '{"not":"a list"}'],
    ['pets list --all', '[null]'],
    ['pets list --ndjson', '[5]'],
    ['pets export', '["text"]'],
    ['categories get 1', '[]'],
    ['events follow --after 1', 'data: {"id":"evt_1","type":5}\n\n'],
  ])('to %s with the body %s is not from a petstore service', async (command, body) => {
    using server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response(body) });
    const url = `http://127.0.0.1:${server.port}`;
    expect(await runCommand(command.split(' '), { ...environment(), PETSTORE_URL: url })).toMatchObject({
      exitCode: 1,
      err: `petstore: the server at ${url} is not a petstore service (status 200); check the address`,
    });
  });

  test('with an undecodable field name is shown as received', async () => {
    const refused = { code: 'invalid_request', errors: [{ pointer: '#/%zz%ff', detail: 'is wrong' }] };
    using server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => Response.json(refused, { status: 400 }) });
    const PETSTORE_URL = `http://127.0.0.1:${server.port}`;
    expect(await runCommand(['pets', 'get', '1'], { ...environment(), PETSTORE_URL })).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('#/%zz%ff: is wrong'),
    });
  });

  test('is replaced by advice if the service cannot be reached', async () => {
    const PETSTORE_URL = `http://127.0.0.1:${await freePort()}`;
    expect(await runCommand(['pets', 'list'], { ...environment(), PETSTORE_URL })).toMatchObject({
      exitCode: 1,
      err: `petstore: cannot reach ${PETSTORE_URL}; check that the service is running and that the address is correct (--url, PETSTORE_URL or the profile)`,
    });
  });

  test('says that a change may have been made if its response is lost', async () => {
    using server = Bun.listen({
      hostname: '127.0.0.1',
      port: 0,
      socket: { data: (socket) => void socket.terminate() },
    });
    const PETSTORE_URL = `http://127.0.0.1:${server.port}`;
    const { exitCode, err } = await runCommand(['pets', 'update', '7', '--name', 'Rex'], {
      ...environment(),
      PETSTORE_URL,
    });
    expect([exitCode, err]).toEqual([
      1,
      `petstore: the response from ${PETSTORE_URL} was lost, so the change may or may not have been made; check before you repeat the command`,
    ]);
  });

  test('can neither move a terminal’s cursor nor add a line to the output, and neither can arguments', async () => {
    const words = 'no\u001b[2J\r\npetstore: yes\u009b\u202e';
    const shown = 'no\\u001b[2J\\u000d\\u000apetstore: yes\\u009b\\u202e';
    const answer = () => Response.json({ code: 'not_found', message: words, status: 404 }, { status: 404 });
    const other = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: answer });
    const PETSTORE_URL = `http://127.0.0.1:${other.port}`;
    const { err } = await runCommand(['pets', 'list'], { ...environment(), PETSTORE_URL });
    await other.stop(true);
    expect(err).toBe(`petstore: ${shown} (not_found)\nTry: petstore pets list --help`);
    await service.post('/v1/pets', { name: words, categoryId: 987 });
    const { out } = await run('pets list --category-id 987 --json');
    expect(out).not.toMatch(/\p{Cc}|\p{Bidi_Control}/u);
    expect(JSON.parse(out ?? '')).toMatchObject([{ name: words }]);
    await expect(run('pets get 1', words)).rejects.toThrow(`unexpected argument "${shown}"`);
  });

  const strange: [string, () => Response][] = [
    ['an HTML page', () => new Response('<h1>Welcome</h1>')],
    ['a proxy error', () => new Response('Bad gateway', { status: 502 })],
    ['a redirect', () => Response.redirect('http://192.0.2.1/')],
    ['JSON of another service', () => Response.json({ error: 'no' }, { status: 500 })],
  ];
  test.each(strange)('that is %s is not from a petstore service', async (_, answer) => {
    const other = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: answer });
    const PETSTORE_URL = `http://127.0.0.1:${other.port}`;
    const { exitCode, err } = await runCommand(['pets', 'list'], { ...environment(), PETSTORE_URL });
    await other.stop(true);
    expect(exitCode).toBe(1);
    expect(err).toMatch(
      /^petstore: the server at http:\S+ is not a petstore service \(status \d+\); check the address$/,
    );
  });
});

describe('pets create-batch', () => {
  test('accepts a list of pets as JSON', async () => {
    const pets = '[{"name":"Rex","categoryId":1},{"name":"Mia","categoryId":9223372036854775807,"status":"sold"}]';
    expect(await runJson(`pets create-batch --pets ${pets}`)).toMatchObject([
      { name: 'Rex', status: 'available' },
      { name: 'Mia', categoryId: 9223372036854775807n, status: 'sold' },
    ]);
  });

  test('refuses invalid JSON, and names the flag', async () => {
    await expect(run('pets create-batch --pets [Rex')).rejects.toThrow('--pets must be valid JSON');
  });
});

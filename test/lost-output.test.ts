import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { existsSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createWorkbench, PROGRAM } from './program.ts';
import { ADMIN_KEY, type Service, startService } from './service.ts';

const bench = createWorkbench();
let service: Service;
let directory: string;
beforeAll(async () => {
  service = await startService();
  for (const name of ['Rex', 'Mia']) await service.post('/v1/pets', { name, categoryId: 7 });
});
afterAll(async () => {
  await bench.clear();
  await service.stop();
});
beforeEach(() => {
  directory = bench.directory();
});

const run = (command: readonly string[]) => {
  const environment = { PETSTORE_URL: service.url(''), PETSTORE_API_KEY: ADMIN_KEY };
  return bench.start({ directory, command, environment }).ended();
};

const shell = (line: string) => {
  const program = PROGRAM.map((word) => `'${word}'`).join(' ');
  return run(['bash', '-c', `petstore() { ${program} "$@"; }\n${line}`]);
};

const FULL = 'cannot write standard output: no space left on the device';

describe.skipIf(!existsSync('/dev/full'))('a command whose output is lost', () => {
  const SECRETS: [command: string, secret: RegExp][] = [
    ['keys create --name desk --plan pro --json', /"key":"(ps_live_\w+)"/],
    ['keys create --name desk --plan pro', /^key +(ps_live_\w+)$/m],
    ['webhooks create --url https://shop.example/hooks --json', /"secret":"(whsec_[^"]+)"/],
  ];
  test.each(SECRETS)('%s prints the secret to standard error, and fails', async (command, secret) => {
    const { exitCode, out, err } = await shell(`petstore ${command} > /dev/full`);
    expect([exitCode, out]).toEqual([1, '']);
    expect(err).toMatch(secret);
    expect(err).toContain(`${FULL}; the change was made; the secret was printed above`);
  });

  test('still creates a key that works', async () => {
    const { err } = await shell('petstore keys create --name desk --plan pro --json > /dev/full');
    const [first = '', second = ''] = err.split('\n');
    expect(JSON.parse(second)).toMatchObject({ code: 'failed', message: expect.stringContaining(FULL) });
    expect(await service.get('/v1/keys/me', { key: JSON.parse(first).key })).toMatchObject({ status: 200 });
  });

  test('prints a secret to standard error if the reader of its pipe is gone', async () => {
    const { exitCode, err } = await shell(
      'exec 3> >(exit 0); wait $!; petstore keys create --name desk --plan pro --json >&3',
    );
    expect(exitCode).toBe(1);
    expect(err).toMatch(/"key":"ps_live_\w+"/);
  });

  test.each(['>&-', '>&- <&-'])(
    'prints a secret to standard error if standard output is closed with %s',
    async (closed) => {
      const { exitCode, err } = await shell(`petstore keys create --name desk --plan pro --json ${closed}`);
      const [first = '', second = ''] = err.split('\n');
      expect(exitCode).toBe(1);
      expect(JSON.parse(second).message).toContain('cannot write standard output: it is closed; the change was made');
      expect(await service.get('/v1/keys/me', { key: JSON.parse(first).key })).toMatchObject({ status: 200 });
    },
  );

  test('fails if standard error is closed, but not if a stream is /dev/null', async () => {
    expect(await shell('petstore pets list --limit 1 2>&-')).toMatchObject({ exitCode: 1 });
    expect(await shell('petstore pets list --limit 1 > /dev/null 2>&1 <> /dev/null')).toMatchObject({ exitCode: 0 });
    expect(await shell('petstore pets list 1<> /dev/null')).toMatchObject({ exitCode: 0, err: '' });
  });

  test.each(['pets list', 'pets list --json', 'pets list --all --ndjson', 'pets export', '--version', 'doctor --help'])(
    '%s fails with the reason',
    async (command) => {
      const { exitCode, err } = await shell(`petstore ${command} > /dev/full`);
      expect(exitCode).toBe(1);
      expect(err).toContain(FULL);
      expect(err).not.toContain('    at ');
    },
  );

  test('fails if a note cannot be written', async () => {
    expect(await shell('petstore pets list --limit 1 2> /dev/full')).toMatchObject({ exitCode: 1 });
    expect(await shell('petstore pets list --limit 1')).toMatchObject({ exitCode: 0 });
  });

  test('names the device or file that --output cannot fill, and leaves no partial file', async () => {
    expect(await shell('petstore pets export --output /dev/full')).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('cannot write /dev/full: no space left on the device'),
    });
    const limited = await shell('trap "" XFSZ; ulimit -f 0; petstore pets export --output out.csv');
    expect(limited).toMatchObject({ exitCode: 1, err: expect.stringContaining('cannot write out.csv') });
    expect(readdirSync(directory)).toEqual([]);
  });

  test('sends nothing if the file of rejected rows cannot be started', async () => {
    writeFileSync(join(directory, 'bad.csv'), 'name,categoryId\nRex,8\n,8\n');
    expect(await shell('ln -s /dev/full bad.rejected.csv; petstore pets import bad.csv --continue')).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('no space left on the device; nothing was sent'),
    });
  });

  test('prints how to resume if rejected rows can no longer be written', async () => {
    writeFileSync(join(directory, 'bad.csv'), `name,categoryId\nRex,8\n${',8\n'.repeat(500)}`);
    const { exitCode, err } = await shell('trap "" XFSZ; ulimit -f 1; petstore pets import bad.csv --continue');
    expect(exitCode).toBe(1);
    expect(err).toContain('petstore: cannot write bad.rejected.csv: the file is too large\n');
    expect(err).toContain('To resume, run the same command again');
  });

  test.each(['Ctrl-C', 'a refusal'])('says after %s that rejected rows are lost, and how to resume', async (ending) => {
    writeFileSync(join(directory, 'bad.csv'), `name,categoryId\n${',8\n'.repeat(500)}Rex,8\n`);
    const asked = Promise.withResolvers<void>();
    using silent = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      idleTimeout: 0,
      fetch: () => {
        asked.resolve();
        const refusal = { code: 'store_full', message: 'full', status: 403 };
        return ending === 'Ctrl-C' ? new Promise<never>(() => undefined) : Response.json(refusal, { status: 403 });
      },
    });
    const line = `trap "" XFSZ; ulimit -f 1; exec ${PROGRAM.join(' ')} pets import bad.csv --continue`;
    const environment = { PETSTORE_URL: `http://127.0.0.1:${silent.port}`, PETSTORE_API_KEY: ADMIN_KEY };
    const program = bench.start({ directory, command: ['bash', '-c', line], environment });
    await asked.promise;
    if (ending === 'Ctrl-C') program.signal('SIGINT');
    const { exitCode, err } = await program.ended();
    expect(exitCode).toBe(ending === 'Ctrl-C' ? 130 : 1);
    expect(err).toContain('0 pets added so far. To resume, run the same command again within 24 hours');
    expect(err).toEndWith('\npetstore: cannot write bad.rejected.csv: the file is too large\n');
  });
});

describe('pets export --output', () => {
  const HEADING = 'id,name,categoryId,status';
  const LINES = `${HEADING}\n1,Rex,7,available\n2,Mia,7,available\n`;
  const write = (flags: string) => `petstore pets export --category-id 7 --format csv ${flags}`;
  const read = (name: string) => readFileSync(join(directory, name), 'utf8');

  test('writes into a pipe, a named pipe and a device', async () => {
    expect(await shell(`${write('--output /dev/stdout')} | cat`)).toMatchObject({ exitCode: 0, out: LINES });
    expect(await shell(`mkfifo pipe; cat pipe & ${write('--output pipe')}; wait`)).toMatchObject({ out: LINES });
    expect(await shell(write('--output /dev/null'))).toMatchObject({ exitCode: 0 });
    expect(
      await shell(`${write('--output >(cat > copy.csv; touch done)')}; until [ -e done ]; do sleep 0.05; done`),
    ).toMatchObject({
      exitCode: 0,
    });
    expect(read('copy.csv')).toBe(LINES);
    expect(readdirSync(directory).toSorted()).toEqual(['copy.csv', 'done', 'pipe']);
  });

  test('appends to a file that the shell has opened as /dev/stdout', async () => {
    await shell(`echo first > out.csv; ${write('--output /dev/stdout')} >> out.csv`);
    expect(read('out.csv')).toBe(`first\n${LINES}`);
  });

  test.each(['/dev/stderr', '/dev/fd/2'])('writes only the pets to %s', async (file) => {
    await shell(`${write(`--output ${file}`)} 2> out.csv`);
    expect(read('out.csv')).toBe(LINES);
    expect(await shell(`${write(`--output ${file}`)} 2>&1 > /dev/null | cat`)).toMatchObject({ out: LINES });
  });

  test.each([
    ['an existing file', true],
    ['a file that does not exist yet', false],
  ])('follows a symbolic link to %s', async (_, exists) => {
    const target = bench.directory();
    if (exists) writeFileSync(join(target, 'real.csv'), '');
    symlinkSync(join(target, 'real.csv'), join(directory, 'link.csv'));
    expect(await shell(write('--output link.csv'))).toMatchObject({ exitCode: 0 });
    expect(lstatSync(join(directory, 'link.csv')).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(target, 'real.csv'), 'utf8')).toBe(LINES);
    expect([readdirSync(directory), readdirSync(target)]).toEqual([['link.csv'], ['real.csv']]);
  });

  test('refuses to replace a file without a keyboard, unless --overwrite is given', async () => {
    writeFileSync(join(directory, 'out.csv'), 'mine', { mode: 0o640 });
    expect(await shell(write('--output out.csv'))).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('out.csv exists; add --overwrite to replace it'),
    });
    expect(read('out.csv')).toBe('mine');
    expect(await shell(write('--output out.csv --overwrite'))).toMatchObject({ exitCode: 0 });
    expect([read('out.csv'), statSync(join(directory, 'out.csv')).mode & 0o777]).toEqual([LINES, 0o640]);
  });

  test('refuses a folder, and a file in a folder that does not exist', async () => {
    expect(await shell(write('--output .'))).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('it is a folder'),
    });
    expect(await shell(write('--output no/out.csv'))).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('no such file or folder'),
    });
  });
});

describe('an error with --json', () => {
  const errorOf = async (command: string) => {
    const { exitCode, out, err } = await run([...PROGRAM, ...command.split(' ')]);
    expect([out, err.trimEnd().split('\n')]).toEqual(['', [expect.stringMatching(/^\{.*\}$/)]]);
    return { exitCode, ...JSON.parse(err) };
  };

  test('of the service has its code, status, request and fields', async () => {
    expect(await errorOf('pets get 9007199254740991 --json')).toEqual({
      exitCode: 1,
      code: 'not_found',
      status: 404,
      requestId: expect.stringMatching(/^req_/),
      message: expect.stringContaining('(not_found)'),
      try: 'petstore pets list',
    });
    expect(await errorOf('pets list --status lost --ndjson')).toMatchObject({
      code: 'invalid_parameter',
      status: 400,
      errors: [{ parameter: 'status' }],
      message: expect.stringContaining('--status must be one of'),
    });
  });

  test('of `licenses` names the unknown argument', async () => {
    expect(await errorOf('licenses --json')).toMatchObject({ exitCode: 2, message: 'unknown flag --json' });
    expect(await errorOf('licenses x --json')).toMatchObject({ exitCode: 2, code: 'bad_usage' });
  });

  test('of the command line has the code bad_usage and a command to try', async () => {
    expect(await errorOf('pets list --json --colour red')).toEqual({
      exitCode: 2,
      code: 'bad_usage',
      message: expect.stringContaining('unknown flag --colour'),
      try: 'petstore pets list --help',
    });
  });
});

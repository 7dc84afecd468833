import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NO_TERMINAL, runCommand } from '../../test/no-terminal.ts';
import { ADMIN_KEY, type Service, startService } from '../../test/service.ts';

let service: Service;
let other: Service;
beforeAll(async () => {
  [service, other] = await Promise.all([startService(), startService()]);
});
afterAll(() => Promise.all([service.stop(), other.stop()]));

let home: string;
const homes: string[] = [];
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'petstore-test-'));
  homes.push(home);
});
afterAll(() => {
  for (const directory of homes) rmSync(directory, { recursive: true });
});

const file = () => join(home, '.config', 'petstore', 'profiles.json');

const run = (command: string, { typed = ADMIN_KEY, ...environment }: Record<string, string> = {}) =>
  runCommand(command.split(' '), { HOME: home, ...environment }, { ...NO_TERMINAL, readSecret: async () => typed });

describe('petstore login', () => {
  test('stores the service and the key for every command', async () => {
    const { exitCode, out } = await run(`login --url ${service.url('/v1')}`);
    expect({ exitCode, out }).toEqual({
      exitCode: 0,
      out: `Logged in to ${service.url('')} as admin (enterprise, store 1). Stored in ${file()} as profile default.`,
    });
    expect(await run('pets list --json')).toEqual({ exitCode: 0, out: '[]' });
  });

  test('stores the key in a file that only its owner can read', async () => {
    await run(`login --url ${service.url('')}`);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(statSync(join(home, '.config', 'petstore')).mode & 0o777).toBe(0o700);
  });

  test('reads the key from a file, and never from a flag', async () => {
    const keyFile = join(home, 'key');
    writeFileSync(keyFile, `${ADMIN_KEY}\n`);
    expect(await run(`login --url ${service.url('')} --key-file ${keyFile}`, { typed: '' })).toMatchObject({
      exitCode: 0,
    });
    expect(await run(`pets list --json --key-file ${keyFile} --url ${service.url('')}`)).toMatchObject({ out: '[]' });
    await expect(run(`login --key ${ADMIN_KEY}`)).rejects.toThrow('unknown flag --key');
  });

  test('warns about a key file that other users can read', async () => {
    const keyFile = join(home, 'key');
    writeFileSync(keyFile, ADMIN_KEY, { mode: 0o600 });
    const lines: string[] = [];
    const list = () =>
      runCommand(
        ['pets', 'list', '--url', service.url(''), '--key-file', keyFile],
        { HOME: home },
        { ...NO_TERMINAL, tell: (line) => lines.push(line) > 0 },
      );
    await list();
    expect(lines).toEqual([]);
    chmodSync(keyFile, 0o644);
    expect(await list()).toMatchObject({ exitCode: 0 });
    expect(lines).toEqual([expect.stringContaining(`other users of this machine can read the key in ${keyFile}`)]);
  });

  test('stores nothing if the key does not work', async () => {
    expect(await run(`login --url ${service.url('')}`, { typed: 'unknown' })).toMatchObject({
      exitCode: 1,
      err: 'petstore: The API key is unknown, expired or revoked. Check the key, or ask the operator for a new one. (invalid_api_key)\nTry: petstore login',
    });
    await expect(run(`login --url ${service.url('')}`, { typed: '' })).rejects.toThrow('the key is empty');
    expect(await run('profiles')).toEqual({ exitCode: 0, out: 'none' });
  });

  test('stores several services as named profiles', async () => {
    await run(`login --url ${service.url('')}`);
    await run(`login --url ${other.url('')} --profile other`);
    await other.post('/v1/pets', { name: 'Rex', categoryId: 1 });
    expect((await run('pets list')).out).toBe('none');
    for (const named of [await run('pets list --profile other'), await run('--profile other pets list')]) {
      expect(named.out).toContain('Rex');
    }
    expect((await run('pets list', { PETSTORE_PROFILE: 'other' })).out).toContain('Rex');
    const { out = '' } = await run('profiles');
    expect(out.split('\n').map((line) => line.split(/ +/))).toEqual([
      ['name', 'url', 'key'],
      ['default', service.url(''), `…${ADMIN_KEY.slice(-4)}`],
      ['other', other.url(''), `…${ADMIN_KEY.slice(-4)}`],
    ]);
    await expect(run('pets list --profile othr')).rejects.toThrow('no profile named "othr"; did you mean other?');
  });

  test('replaces only its own profile, and protects a file that an earlier login left', async () => {
    await run(`login --url ${service.url('')}`);
    await run(`login --url ${other.url('')} --profile other`);
    writeFileSync(`${file()}.${process.pid}`, '', { mode: 0o644 });
    await run(`login --url ${service.url('')}`);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    await run('logout');
    expect((await run('profiles')).out?.split('\n').map((line) => line.split(/ +/)[0])).toEqual(['name', 'other']);
  });

  test.each(['.hidden', '-x', 'a/b', '..', 'a'.repeat(65), 'naïve'])('refuses the profile name %s', async (name) => {
    await expect(run(`login --url ${service.url('')} --profile=${name}`)).rejects.toThrow('--profile must be 1 to 64');
  });

  test('is undone by petstore logout', async () => {
    await run(`login --url ${service.url('')}`);
    expect(await run('logout')).toMatchObject({
      exitCode: 0,
      out: expect.stringContaining('Removed profile default'),
    });
    expect(readFileSync(file(), 'utf8')).not.toContain(ADMIN_KEY);
    await expect(run('logout')).rejects.toThrow('no profile named "default"');
  });
});

describe('a stored key', () => {
  test('is sent to the service it was stored for, and to no other', async () => {
    await run(`login --url ${service.url('')}`);
    const elsewhere = `no key for ${other.url('')}`;
    await expect(run(`pets list --url ${other.url('')}`)).rejects.toThrow(elsewhere);
    await expect(run('pets list', { PETSTORE_URL: other.url('') })).rejects.toThrow(elsewhere);
    await expect(run(`pets list --profile default --url ${other.url('')}`)).rejects.toThrow(elsewhere);
    expect(await run('pets list --json', { PETSTORE_URL: service.url('/v1/') })).toMatchObject({ out: '[]' });
  });

  test('is used only if the variables set no key', async () => {
    await run(`login --url ${service.url('')}`);
    const PETSTORE_API_KEY = 'unknown';
    expect(await run('pets list', { PETSTORE_URL: service.url(''), PETSTORE_API_KEY })).toMatchObject({ exitCode: 1 });
    expect(await run('pets list --profile default', { PETSTORE_API_KEY })).toMatchObject({ exitCode: 0 });
  });

  test('is not used from a file that others can read', async () => {
    await run(`login --url ${service.url('')}`);
    for (const mode of [0o644, 0o640, 0o604]) {
      chmodSync(file(), mode);
      await expect(run('pets list')).rejects.toMatchObject({
        message: expect.stringContaining('other users of this machine can read the keys'),
        hint: `chmod 600 ${file()}`,
      });
    }
  });

  test('is not read from a damaged file, and the message explains what to do', async () => {
    await run(`login --url ${service.url('')}`);
    writeFileSync(file(), '{');
    await expect(run('pets list')).rejects.toMatchObject({ hint: `rm ${file()}` });
  });
});

describe('--url', () => {
  test.each(['127.0.0.1:8080', 'ftp://127.0.0.1', 'http://user:secret@127.0.0.1', 'http://127.0.0.1?x=1', 'http://'])(
    '%s is refused',
    async (url) => {
      await expect(run(`pets list --url ${url}`)).rejects.toThrow('--url must be an address such as');
    },
  );

  test('before the command sets the service, even if the command has its own --url', async () => {
    await run(`login --url ${service.url('')} --profile shop`);
    const made = await run('--profile shop webhooks create --url http://127.0.0.1:9/hooks --json');
    expect(made.err).toMatch(/url.* https/);
    const keyFile = join(home, 'key');
    writeFileSync(keyFile, ADMIN_KEY);
    const { out } = await run(`--url ${service.url('')} --key-file ${keyFile} webhooks list --json`);
    expect(out).toBe('[]');
  });
});

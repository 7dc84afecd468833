import { afterAll, describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lacks } from './needs.ts';
import { bareEnvironment, createWorkbench, PROGRAM, type Program } from './program.ts';
import { waitFor } from './wait-for.ts';

const bench = createWorkbench();
afterAll(bench.clear);

const ADMIN_KEY = 'an-admin-key-of-the-operator';

const startOnTerminal = async (
  directory: string,
  environment: Record<string, string> = {},
  args: readonly string[] = [],
) => {
  const words = [...PROGRAM, ...args].map((word) => `'${word}'`).join(' ');
  const command = ['script', '-qec', `exec ${words}`, '/dev/null'];
  const program = bench.start({ directory, environment, command });
  const shown = await waitFor('the start is announced', () => {
    const text = program.written.out.replaceAll('\r\n', '\n');
    if (program.child.exitCode !== null) throw new Error(`it ended with ${program.child.exitCode}: ${text}`);
    return /^ {2}Try .*\n/m.test(text) ? text : undefined;
  });
  return { program, shown, line: (label: string) => new RegExp(`^ {2}${label} +(.*)$`, 'm').exec(shown)?.[1] ?? '' };
};

/**
 * Sends Ctrl-C and waits until `script`, the parent of the program, has exited by itself. If `script` were killed, the
 * program would keep running in its own session.
 */
const interrupt = (program: Program) => {
  program.child.stdin.write('\x03');
  program.child.stdin.flush();
  return program.ended();
};

const inShell = async (script: string, environment: Record<string, string>): Promise<string> => {
  const shell = Bun.spawn(['sh', '-c', script], { env: { ...bareEnvironment(), ...environment } });
  return (await new Response(shell.stdout).text()).trim();
};

const execute = async (line: string, environment: Record<string, string> = {}): Promise<number> => {
  if (Bun.which('curl')) {
    return Number(await inShell(`${line} --silent --output /dev/null --write-out '%{http_code}'`, environment));
  }
  const words = await inShell(`curl() { printf '%s\\n' "$@"; }; ${line}`, environment);
  const [url = '', flag, header = ''] = words.split('\n');
  const [name = '', value = ''] = header.split(': ');
  return (await fetch(url, flag === '-H' ? { headers: { [name]: value } } : {})).status;
};

describe.skipIf(lacks('script'))('the start on a terminal', () => {
  test('shows version, environment, database, addresses and the new admin key in readable lines', async () => {
    const { shown, line } = await startOnTerminal(bench.directory());
    const key = /^(ps_live_[0-9A-Za-z]{36}) /.exec(line('Admin key'))?.[1];
    const origin = line('API').replace(/\/v1$/, '');
    expect(shown.trim().split('\n')).toEqual([
      'Pet Store 1.0.0, production',
      '  Database     data/petstore.db   (new)',
      `  Home page    ${origin}/   (start with --open to see it in your browser)`,
      `  Console      ${origin}/console`,
      `  API          ${origin}/v1`,
      `  Reference    ${origin}/docs`,
      `  Admin key    ${key}   (shown only once: save it now)`,
      `  Try          curl "${origin}/v1/pets" -H "Authorization: Bearer ${key}"`,
    ]);
    expect((await fetch(line('Reference'))).status).toBe(200);
  });

  test('prints a curl command that works at the first start', async () => {
    const { line } = await startOnTerminal(bench.directory());
    expect(await execute(line('Try'))).toBe(200);
  });

  test('prints a curl command that works with PETSTORE_ADMIN_KEY, without showing the key', async () => {
    const environment = { PETSTORE_ADMIN_KEY: ADMIN_KEY };
    const { line, shown } = await startOnTerminal(bench.directory(), environment);
    expect(line('Try')).toContain('/v1/pets');
    expect(await execute(line('Try'), environment)).toBe(200);
    expect(shown).not.toContain(ADMIN_KEY);
  });

  test('prints a curl command that works when the key was shown at an earlier start', async () => {
    const directory = bench.directory();
    const first = await startOnTerminal(directory);
    await interrupt(first.program);
    const { line, shown } = await startOnTerminal(directory);
    expect(shown).not.toContain('Admin key');
    expect(await execute(line('Try'))).toBe(200);
  });

  test('prints a reachable address when it listens on every address', async () => {
    const { line } = await startOnTerminal(bench.directory(), { HOST: '0.0.0.0' });
    expect(line('API')).toStartWith('http://127.0.0.1:');
    expect(await execute(line('Try'))).toBe(200);
  });

  test('opens the first page in a browser with --open', async () => {
    const directory = bench.directory();
    const opened = join(directory, 'opened');
    const name = process.platform === 'darwin' ? 'open' : 'xdg-open';
    writeFileSync(
      join(directory, name),
      `#!/bin/sh\nprintf '%s' "$1" > '${opened}.part' && mv '${opened}.part' '${opened}'\n`,
      {
        mode: 0o755,
      },
    );
    const environment = { PATH: `${directory}:${bareEnvironment().PATH}` };
    const { line } = await startOnTerminal(directory, environment, ['--open']);
    await waitFor('the browser is called', () => existsSync(opened));
    expect(await Bun.file(opened).text()).toBe(line('Home page'));
    expect((await fetch(line('Home page'))).status).toBe(200);
  });

  test('reports that there is no browser to open, and serves anyway', async () => {
    const directory = bench.directory();
    const tools = join(directory, 'tools');
    mkdirSync(tools);
    symlinkSync(Bun.which('sh') as string, join(tools, 'sh'));
    const script = Bun.which('script') as string;
    const words = [...PROGRAM, '--open'].map((word) => `'${word}'`).join(' ');
    const program = bench.start({
      directory,
      environment: { PATH: tools },
      command: [script, '-qec', `exec ${words}`, '/dev/null'],
    });
    const said = await waitFor(
      'the message appears',
      () => /cannot open a browser[^\r\n]*/.exec(program.written.out)?.[0],
    );
    const origin = /http:\/\/\S+\//.exec(said)?.[0] as string;
    expect((await fetch(`${origin}healthz`)).status).toBe(200);
  });

  test('drains when its terminal is closed, although it can no longer write there', async () => {
    const directory = bench.directory();
    const { program, line } = await startOnTerminal(directory);
    expect(await execute(line('Try'))).toBe(200);
    expect(existsSync(join(directory, 'data', 'petstore.db-wal'))).toBe(true);
    program.signal('SIGKILL');
    await waitFor('the database file is closed', () => !existsSync(join(directory, 'data', 'petstore.db-wal')));
  });

  test('stops cleanly on Ctrl-C', async () => {
    const { program } = await startOnTerminal(bench.directory());
    const { exitCode, out } = await interrupt(program);
    expect(exitCode).toBe(0);
    expect(out).toMatch(/\d\d:\d\d:\d\d\S* {2}\S*stopped/);
  });

  test('shows each request as one readable line', async () => {
    const { program, line } = await startOnTerminal(bench.directory(), { NO_COLOR: '1' });
    await execute(line('Try'));
    await waitFor('the request line appears', () =>
      /^\d\d:\d\d:\d\d {2}200 {2}GET {5}\/v1\/pets {2}listPets /m.test(program.written.out),
    );
  });
});

import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { ROOT } from '../../check/root.ts';
import { endProcesses } from '../../test/leftovers.ts';
import { makeRunDirectory } from '../../test/run-directory.ts';

const LEFT_OUT = ['node_modules', '.git', 'data', 'dist'];

/** Timeout in ms for mutants that loop forever. It is longer than any test takes, even on an overloaded machine. */
const LONGEST_MS = 120_000;

const MAX_BYTES = 2 * 1024 ** 3;
const POLL_MS = 500;

const memoryOf = (pid: number): number => {
  try {
    return 1024 * Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
};

export type Tests = { file: string; named?: string; isSealed?: boolean };

const SEALED = ['unshare', '--map-root-user', '--net', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh'];

export const canSeal = (): boolean =>
  Bun.which('unshare') !== null && Bun.spawnSync([...SEALED, 'true'], { stderr: 'ignore' }).exitCode === 0;

type Changed = { file: string; text: string };

type How = { maxMs?: number; environment?: Record<string, string | undefined> };

export type Ran = { failed?: string; isLate: boolean; passed: number; ms: number };

const literally = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

const readRan = (said: string, exitCode: number): Pick<Ran, 'failed' | 'passed'> => {
  const passed = [...said.matchAll(/^\(pass\)/gm)].length;
  if (exitCode === 0) return { passed };
  const sentence = /^\(fail\) (.*?)(?: \[[0-9.]+m?s\])?$/m.exec(said)?.[1]?.replaceAll(' > ', ' ');
  return { failed: sentence ?? `exit code ${exitCode}`, passed };
};

const createCopy = (directory: string) => {
  const root = join(directory, 'copy');
  const temporary = join(directory, 'tests');
  cpSync(ROOT, root, { recursive: true, filter: (path) => !LEFT_OUT.includes(relative(ROOT, path)) });
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));

  const start = (tests: Tests, maxMs: number, environment: Record<string, string | undefined>) => {
    const name = tests.named === undefined ? [] : ['-t', `${literally(tests.named)}$`];
    const runner = [...(tests.isSealed ? SEALED : []), process.execPath];
    const command = [...runner, 'test', '--bail', `--timeout=${maxMs}`, ...name, `./${tests.file}`];
    // The tests must not use the executable in TEST_PROGRAM, because it was built from unchanged code.
    const env = { ...process.env, PROVE_REPORT: undefined, TEST_PROGRAM: undefined, ...environment, TMPDIR: temporary };
    return Bun.spawn(command, { cwd: root, env, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' });
  };

  const runTests = async (...how: Parameters<typeof start>): Promise<Ran> => {
    mkdirSync(temporary);
    const startedAt = performance.now();
    const running = start(...how);
    let isLate = false;
    const timer = setInterval(() => {
      if (performance.now() - startedAt < 2 * how[1] && memoryOf(running.pid) < MAX_BYTES) return;
      isLate = true;
      running.kill('SIGKILL');
    }, POLL_MS);
    try {
      const said = await Promise.all([new Response(running.stdout).text(), new Response(running.stderr).text()]);
      const text = said.join('');
      const ran = readRan(text, await running.exited);
      return { ...ran, isLate: isLate || text.includes('timed out after'), ms: performance.now() - startedAt };
    } finally {
      clearInterval(timer);
      await endProcesses(temporary, true);
      rmSync(temporary, { recursive: true, force: true });
    }
  };

  return {
    async run(tests: Tests, changed?: Changed, { maxMs = LONGEST_MS, environment = {} }: How = {}): Promise<Ran> {
      if (!changed) return runTests(tests, maxMs, environment);
      const path = join(root, changed.file);
      const text = readFileSync(path, 'utf8');
      writeFileSync(path, changed.text);
      try {
        return await runTests(tests, maxMs, environment);
      } finally {
        writeFileSync(path, text);
      }
    },
  };
};

type Copy = ReturnType<typeof createCopy>;

export const openCopies = (count = Math.min(4, availableParallelism())) => {
  const directory = makeRunDirectory();
  const free = Array.from({ length: count }, (_, index) => {
    const place = join(directory, String(index));
    mkdirSync(place);
    return createCopy(place);
  });
  const waiting: ((copy: Copy) => void)[] = [];

  return {
    async use<Result>(work: (copy: Copy) => Promise<Result>): Promise<Result> {
      const copy = free.pop() ?? (await new Promise<Copy>((resolve) => waiting.push(resolve)));
      try {
        return await work(copy);
      } finally {
        const next = waiting.shift();
        if (next) next(copy);
        else free.push(copy);
      }
    },
    close: (): void => rmSync(directory, { recursive: true }),
  };
};

export type Copies = ReturnType<typeof openCopies>;

export const runUnchanged = async (copies: Copies, tests: Tests, how: How): Promise<Ran> => {
  const run = () => copies.use((copy) => copy.run(tests, undefined, how));
  const ran = await run();
  return ran.failed === undefined ? ran : run();
};

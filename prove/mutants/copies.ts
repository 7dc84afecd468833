import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { ROOT } from '../../check/root.ts';
import { endProcesses } from '../../test/left-behind.ts';
import { makeRunDirectory } from '../../test/run-directory.ts';

/** What a copy of the repository does without, or shares. */
const LEFT_OUT = ['node_modules', '.git', 'data', 'dist'];

/** More than any test takes that is run here, on a starved machine too. */
const LONGEST_MS = 120_000;

/** A change that never stops asking for memory must not take it from the machine. Many times what any test needs. */
const MOST_BYTES = 2 * 1024 ** 3;
const LOOK_EVERY_MS = 500;

/** What a process holds in memory; nothing where that is not told. */
const memoryOf = (pid: number): number => {
  try {
    return 1024 * Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
};

/** A file of tests, and of those perhaps only the one of a name. `isSealed`: they reach no other machine, whatever is changed. */
export type Tests = { file: string; named?: string; isSealed?: boolean };

/** A network of its own, in which there is nothing but loopback. */
const SEALED = ['unshare', '--map-root-user', '--net', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh'];

/** Whether tests can be sealed here: that takes Linux, its tools, and the permission. */
export const canSeal = (): boolean =>
  Bun.which('unshare') !== null && Bun.spawnSync([...SEALED, 'true'], { stderr: 'ignore' }).exitCode === 0;

/** One file of the copy with another text. */
type Changed = { file: string; text: string };

/** How long a test may take, and what it finds in its environment. */
type How = { mostMs?: number; environment?: Record<string, string | undefined> };

/** What came of a run: `failed` is the sentence that failed first. `isLate`: it hung, took longer than it may, or more memory. */
export type Ran = { failed?: string; isLate: boolean; passed: number; ms: number };

/** As a pattern that matches the text and nothing else. */
const literally = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** A file that cannot be loaded has none of its tests named. */
const readRan = (said: string, exitCode: number): Pick<Ran, 'failed' | 'passed'> => {
  const passed = [...said.matchAll(/^\(pass\)/gm)].length;
  if (exitCode === 0) return { passed };
  const sentence = /^\(fail\) (.*?)(?: \[[0-9.]+m?s\])?$/m.exec(said)?.[1]?.replaceAll(' > ', ' ');
  return { failed: sentence ?? `exit code ${exitCode}`, passed };
};

/** A copy of the repository in which tests run on changed code. The work tree itself is never touched. */
const createCopy = (directory: string) => {
  const root = join(directory, 'copy');
  const temporary = join(directory, 'tests');
  cpSync(ROOT, root, { recursive: true, filter: (path) => !LEFT_OUT.includes(relative(ROOT, path)) });
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));

  const start = (tests: Tests, mostMs: number, environment: Record<string, string | undefined>) => {
    const name = tests.named === undefined ? [] : ['-t', `${literally(tests.named)}$`];
    const runner = [...(tests.isSealed ? SEALED : []), process.execPath];
    const command = [...runner, 'test', '--bail', `--timeout=${mostMs}`, ...name, `./${tests.file}`];
    // The program that the run has made is without the change.
    const env = { ...process.env, PROVE_REPORT: undefined, TEST_PROGRAM: undefined, ...environment, TMPDIR: temporary };
    return Bun.spawn(command, { cwd: root, env, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' });
  };

  const runTests = async (...how: Parameters<typeof start>): Promise<Ran> => {
    mkdirSync(temporary);
    const startedAt = performance.now();
    const running = start(...how);
    let isLate = false;
    const timer = setInterval(() => {
      if (performance.now() - startedAt < 2 * how[1] && memoryOf(running.pid) < MOST_BYTES) return;
      isLate = true;
      running.kill('SIGKILL');
    }, LOOK_EVERY_MS);
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
    /** Runs tests with the change, if there is one, and takes it back. */
    async run(tests: Tests, changed?: Changed, { mostMs = LONGEST_MS, environment = {} }: How = {}): Promise<Ran> {
      if (!changed) return runTests(tests, mostMs, environment);
      const path = join(root, changed.file);
      const text = readFileSync(path, 'utf8');
      writeFileSync(path, changed.text);
      try {
        return await runTests(tests, mostMs, environment);
      } finally {
        writeFileSync(path, text);
      }
    },
  };
};

type Copy = ReturnType<typeof createCopy>;

/** So many copies, and what is wanted of them done by whichever is free. */
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

/** Without a change, and once more if they fail: what is asked is whether a change is noticed, not whether the machine is quiet. */
export const runUnchanged = async (copies: Copies, tests: Tests, how: How): Promise<Ran> => {
  const run = () => copies.use((copy) => copy.run(tests, undefined, how));
  const ran = await run();
  return ran.failed === undefined ? ran : run();
};

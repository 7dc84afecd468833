import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor } from './wait-for.ts';

const MAIN = join(import.meta.dir, '..', 'src', 'main.ts');

export const PROGRAM: readonly string[] = process.env.TEST_PROGRAM
  ? [process.env.TEST_PROGRAM]
  : [process.execPath, MAIN];

export const bareEnvironment = () => ({ PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' });

export const savedAdminKey = (directory: string): string =>
  readFileSync(join(directory, 'data', 'petstore.db.admin-key'), 'utf8').trimEnd();

type Options = { directory: string; environment?: Record<string, string>; command?: readonly string[] };

const startProgram = ({ directory, environment = {}, command = PROGRAM }: Options) => {
  const written = { out: '', err: '' };
  const child = Bun.spawn([...command], {
    cwd: directory,
    env: { ...bareEnvironment(), PORT: '0', ...environment },
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'pipe',
    detached: true,
  });
  const collect = async (stream: ReadableStream<Uint8Array>, to: 'out' | 'err') => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) written[to] += decoder.decode(chunk, { stream: true });
  };
  const collected = Promise.all([collect(child.stdout, 'out'), collect(child.stderr, 'err')]);

  const killGroup = () => {
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  };
  /**
   * Kills the rest of the program's process group as soon as the program exits. A later kill would be dangerous,
   * because the system could already have given the group's id to other processes.
   */
  const exited = child.exited.then(killGroup);

  const ended = async () => {
    const exitCode = await child.exited;
    await collected;
    return { exitCode, ...written };
  };

  return {
    child,
    written,
    ended,
    signal: (signal: NodeJS.Signals) => child.kill(signal),

    origin: () =>
      waitFor('the program listens', () => {
        if (child.exitCode !== null) throw new Error(`the program exited with ${child.exitCode}: ${written.err}`);
        return /"api":"(http:[^"]+)\/v1"/.exec(written.out)?.[1];
      }),

    async kill() {
      if (child.exitCode === null && child.signalCode === null) killGroup();
      await exited;
    },
  };
};

export type Program = ReturnType<typeof startProgram>;

export const createWorkbench = () => {
  const directories: string[] = [];
  const programs: Program[] = [];
  return {
    directory(): string {
      const made = mkdtempSync(join(tmpdir(), 'petstore-test-'));
      directories.push(made);
      return made;
    },

    start(options: Options): Program {
      const program = startProgram(options);
      programs.push(program);
      return program;
    },

    async clear() {
      await Promise.all(programs.map((program) => program.kill()));
      for (const directory of directories) rmSync(directory, { recursive: true });
    },
  };
};

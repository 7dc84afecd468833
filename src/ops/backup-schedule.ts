import { onStopSignal } from './stop-signals.ts';

const { spawn } = process.getBuiltinModule('node:child_process');

/** As `sysexits.h` has it for what may go well the next time. */
export const TRY_AGAIN = 75;
const TRY_AGAIN_MS = 10_000;

/** Where a built file has its modules. */
const INSIDE = '/$bunfs/';

/** The command that started this process: the built file, or the runtime with the program. */
const ownCommand = (): [string, ...string[]] => {
  const [, program = ''] = process.argv;
  return program.startsWith(INSIDE) ? [process.execPath] : [process.execPath, ...process.execArgv, program];
};

type Environment = Record<string, string | undefined>;

/**
 * Makes a backup now, and again and again until the process is asked to stop. Each is a process of its own, which can let go of
 * the file at any moment by its end; one that fails says why, and the next is made in its time.
 */
export const repeatBackups = async (everyMs: number, args: string[], environment: Environment): Promise<void> => {
  const [program, ...before] = ownCommand();
  const stopped = new AbortController();
  onStopSignal(() => stopped.abort());

  const makeOne = (): Promise<number> =>
    new Promise((resolve) => {
      const child = spawn(program, [...before, ...args], { env: environment, stdio: 'inherit' });
      stopped.signal.addEventListener('abort', () => child.kill('SIGTERM'), { once: true });
      child.once('error', () => resolve(1));
      child.once('exit', (code) => resolve(code ?? 1));
    });

  const sleep = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      stopped.signal.addEventListener(
        'abort',
        () => {
          clearTimeout(timer);
          resolve();
        },
        { once: true },
      );
    });

  const beganAt = performance.now();
  while (!stopped.signal.aborted) {
    const exitCode = await makeOne();
    if (stopped.signal.aborted) return;
    const toNext = everyMs - ((performance.now() - beganAt) % everyMs);
    await sleep(exitCode === TRY_AGAIN ? Math.min(TRY_AGAIN_MS, toNext) : toNext);
  }
};

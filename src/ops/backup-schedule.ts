import { sleep } from '../kernel/runtime.ts';
import { stopSignal } from './signals.ts';

const { spawn } = process.getBuiltinModule('node:child_process');

/** `EX_TEMPFAIL` from `sysexits.h`: the backup should be repeated soon. */
export const TRY_AGAIN = 75;
const TRY_AGAIN_MS = 10_000;

const INSIDE = '/$bunfs/';

const ownCommand = (): [string, ...string[]] => {
  const [, program = ''] = process.argv;
  return program.startsWith(INSIDE) ? [process.execPath] : [process.execPath, ...process.execArgv, program];
};

type Environment = Record<string, string | undefined>;

const makeOne = (args: string[], env: Environment, stopped: AbortSignal): Promise<number> => {
  const [program, ...before] = ownCommand();
  return new Promise((resolve) => {
    const child = spawn(program, [...before, ...args], { env, stdio: 'inherit' });
    const stop = () => child.kill('SIGTERM');
    stopped.addEventListener('abort', stop);
    child.once('error', () => resolve(1));
    child.once('exit', (code) => {
      stopped.removeEventListener('abort', stop);
      resolve(code ?? 1);
    });
  });
};

/** Runs each backup in its own process, so that the database file is released when the process ends. */
export const repeatBackups = async (everyMs: number, args: string[], environment: Environment): Promise<void> => {
  const stopped = stopSignal();
  const beganAt = performance.now();
  while (!stopped.aborted) {
    const exitCode = await makeOne(args, environment, stopped);
    const toNext = everyMs - ((performance.now() - beganAt) % everyMs);
    const waitMs = exitCode === TRY_AGAIN ? Math.min(TRY_AGAIN_MS, toNext) : toNext;
    await sleep(waitMs, undefined, { signal: stopped }).catch(() => undefined);
  }
};

import { statSync } from 'node:fs';
import type { Variables } from '../../cli/args/variables.ts';
import type { World } from '../compose/compose.ts';
import { type Config, KNOWN } from '../config.ts';
import { sleep, systemClock } from '../kernel/runtime.ts';
import { backupIn, usualFolder } from './backup-folder.ts';
import { stopSignal } from './signals.ts';

const { spawn } = process.getBuiltinModule('node:child_process');

/** The exit code `EX_TEMPFAIL` from `sysexits.h`. */
export const TRY_AGAIN = 75;
const TRY_AGAIN_MS = 10_000;

const MAX_OUTPUT = 2000;

const INSIDE = '/$bunfs/';

const ownCommand = (): [string, ...string[]] => {
  const [, program = ''] = process.argv;
  return program.startsWith(INSIDE) ? [process.execPath] : [process.execPath, ...process.execArgv, program];
};

type Running = { env: Variables; stopped: AbortSignal; command?: readonly string[] | undefined };

const makeOne = (args: readonly string[], { env, stopped, command = ownCommand() }: Running, isQuiet = false) => {
  const [program = '', ...before] = command;
  return new Promise<{ exitCode: number; output: string }>((resolve) => {
    // A stream of type `ignore` would need `/dev/null`, which a minimal root file system may not have.
    const child = spawn(program, [...before, ...args], { env, stdio: isQuiet ? 'pipe' : 'inherit', signal: stopped });
    let output = '';
    child.stdin?.end();
    child.stdout?.resume();
    child.stderr?.on('data', (chunk) => {
      output = (output + chunk).slice(-MAX_OUTPUT);
    });
    child.on('error', ({ message }) => {
      output ||= message;
    });
    child.once('close', (code) => resolve({ exitCode: code ?? 1, output }));
  });
};

/** The backup process receives no secrets. It needs only two settings, the database and `PETSTORE_ENVIRONMENT`. */
export const createMakeBackup =
  (config: Config, command?: readonly string[]): NonNullable<World['backUp']> =>
  async (stopped) => {
    const place = config.DATABASE_URL;
    if (place.engine !== 'sqlite') throw new Error('only an SQLite file can be backed up');
    const others = Object.entries(process.env).filter(([name]) => !KNOWN.includes(name));
    const own = { DATABASE_URL: `sqlite:${place.path}`, PETSTORE_ENVIRONMENT: config.PETSTORE_ENVIRONMENT };
    const env = { ...Object.fromEntries(others), ...own };
    const file = backupIn(usualFolder(config), systemClock());
    const { exitCode, output } = await makeOne(['backup', file], { env, stopped, command }, true);
    if (exitCode === 0) return { file, bytes: statSync(file).size };
    if (stopped.aborted) throw new Error('the service stopped before the backup was done');
    throw new Error(output.trim().replace(/^petstore: /, '') || `the backup process ended with exit code ${exitCode}`);
  };

/** Each backup runs in its own process, so that the database file is released when the process exits. */
export const repeatBackups = async (everyMs: number, args: string[], environment: Variables): Promise<void> => {
  const stopped = stopSignal();
  const beganAt = performance.now();
  while (!stopped.aborted) {
    const { exitCode } = await makeOne(args, { env: environment, stopped });
    const toNext = everyMs - ((performance.now() - beganAt) % everyMs);
    const waitMs = exitCode === TRY_AGAIN ? Math.min(TRY_AGAIN_MS, toNext) : toNext;
    await sleep(waitMs, undefined, { signal: stopped }).catch(() => undefined);
  }
};

#!/usr/bin/env -S bun --no-env-file
import './ops/signals.ts';
import type { CommandResult } from '../cli/args/invocation.ts';
import { BadUsage, readArguments } from '../cli/args/read-arguments.ts';
import { readServeFlags } from '../cli/args/serve-flags.ts';
import { CannotWrite } from '../cli/output/terminal.ts';
import { BadConfig, readConfig } from './config.ts';
import { Failure } from './kernel/failure.ts';
import { explainError } from './kernel/log.ts';
import { readDemoConfig } from './ops/demo.ts';
import { CannotListen, serve } from './ops/serve.ts';
import { onStopSignal } from './ops/signals.ts';
import { standardError, standardOutput } from './ops/standard-output.ts';
import type { LocalCommand } from './ops/terminal.ts';
import { DatabaseUnusable } from './storage/unusable.ts';
import { COMMIT, VERSION } from './version.ts';

const FAILED = 1;
const BAD_USAGE = 2;

// A second stop signal within this many ms is ignored, because pressing Ctrl-C under `npm start` sends two signals.
const ECHO_MS = 250;

const stopRequested = (): Promise<string> =>
  new Promise((resolve) => {
    let askedAt: number | undefined;
    onStopSignal((signal) => {
      // When a terminal closes, the system and the shell both send SIGHUP, so a second SIGHUP must not force an exit.
      const isImpatient = signal !== 'SIGHUP' && askedAt !== undefined && performance.now() - askedAt > ECHO_MS;
      if (isImpatient) process.exit(FAILED);
      askedAt ??= performance.now();
      resolve(signal);
    });
  });

const LOCAL_COMMANDS = new Map<string, () => Promise<LocalCommand>>([
  ['mcp', async () => (await import('./ops/mcp.ts')).runMcp],
  ['migrate', async () => (await import('./ops/migrate.ts')).runMigrate],
  ['backup', async () => (await import('./ops/backup.ts')).runBackup],
  ['restore', async () => (await import('./ops/backup.ts')).runRestore],
  ['move', async () => (await import('./ops/move.ts')).runMove],
  ['doctor', async () => (await import('./ops/doctor.ts')).runDoctor],
]);

const choosesService = (arg: string): boolean => /^--(url|key-file|profile)(=|$)/.test(arg);

const openTerminal = async () => (await import('./ops/terminal.ts')).createTerminal(process.env);

const main = async (args: readonly string[]): Promise<CommandResult> => {
  const [first = 'serve'] = args;
  if (first === 'help' || args.includes('--help') || args.includes('-h')) {
    return { exitCode: 0, out: (await import('../cli/commands/run-command.ts')).showHelp(args, await openTerminal()) };
  }
  if (first === '--version') return { exitCode: 0, out: COMMIT ? `${VERSION} (${COMMIT})` : VERSION };
  if (first === 'licenses') {
    readArguments(args.slice(1), { flags: [] });
    return { exitCode: 0, out: await (await import('./http/pages/site.ts')).loadLicenses() };
  }
  // Other users of the machine must not be able to read the database, which contains key hashes and callers' addresses.
  process.umask(0o077);
  const load = LOCAL_COMMANDS.get(first);
  if (load) return (await load())(args.slice(1), process.env);
  if (first !== 'serve' && (!first.startsWith('--') || choosesService(first))) {
    return (await import('../cli/commands/run-command.ts')).runCommand(args, process.env, await openTerminal());
  }
  const stop = stopRequested();
  const { settings, ...wishes } = readServeFlags(first === 'serve' ? args.slice(1) : args);
  await serve((wishes.demo ? readDemoConfig : readConfig)(process.env, settings), stop, wishes);
  return { exitCode: 0 };
};

const explain = async (error: unknown, args: readonly string[]): Promise<CommandResult> => {
  if (error instanceof BadConfig) {
    return { exitCode: BAD_USAGE, err: `petstore: invalid settings\n  ${error.problems.join('\n  ')}` };
  }
  if (error instanceof BadUsage) {
    const hint = error.hint ?? (await import('../cli/commands/run-command.ts')).helpFor(args);
    return { exitCode: BAD_USAGE, err: `petstore: ${error.message}\nTry: ${hint}` };
  }
  if (error instanceof DatabaseUnusable || error instanceof CannotListen || error instanceof CannotWrite) {
    return { exitCode: FAILED, err: `petstore: ${error.message}` };
  }
  if (error instanceof Failure && error.code === 'unavailable') {
    return { exitCode: FAILED, err: `petstore: cannot use the database: ${explainError(error.cause)}` };
  }
  return { exitCode: FAILED, err: `petstore: ${error instanceof Error ? (error.stack ?? error.message) : error}` };
};

const args = process.argv.slice(2);
const result = await main(args).catch((error) => explain(error, args));
const { showResult } = await import('../cli/output/show-result.ts');
process.exit(await showResult(result, args, process.env, { print: standardOutput, tell: standardError }));

#!/usr/bin/env bun
import { parseArgs } from 'node:util';
import { runCommand } from './cli/run-command.ts';
import { createUsage } from './cli/usage.ts';
import { VERSION } from './compose.ts';
import { BadConfig, flagOf, readConfig, VARIABLES } from './config.ts';
import { DatabaseUnusable } from './database/sqlite.open.ts';
import { CannotListen, serve } from './serve.ts';

const CANNOT_START = 1;
const BAD_USAGE = 2;

const stopRequested = (): Promise<string> =>
  new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      // The second signal is for those who cannot wait.
      process.once(signal, () => {
        process.once(signal, () => process.exit(CANNOT_START));
        resolve(signal);
      });
    }
  });

const readFlags = (args: readonly string[]): Record<string, string | undefined> => {
  const flags = Object.keys(VARIABLES).flatMap((name) => {
    const flag = flagOf(name);
    return flag ? [{ name, option: flag.slice(2) }] : [];
  });
  const options = Object.fromEntries(flags.map(({ option }) => [option, { type: 'string' as const }]));
  const { values } = parseArgs({ args: [...args], options, allowPositionals: false });
  return Object.fromEntries(flags.map(({ name, option }) => [name, values[option] as string | undefined]));
};

const main = async (args: readonly string[]): Promise<number> => {
  const [first = 'serve'] = args;
  if (first === '--help' || first === 'help') {
    console.log(createUsage());
    return 0;
  }
  if (first === '--version') {
    console.log(VERSION);
    return 0;
  }
  if (first !== 'serve' && !first.startsWith('--')) return runCommand(args, process.env);
  const stop = stopRequested();
  await serve(readConfig(process.env, readFlags(first === 'serve' ? args.slice(1) : args)), stop);
  return 0;
};

/** What went wrong before anything was served, in words for the one who started it. */
const explain = (error: unknown): { text: string; code: number } => {
  if (error instanceof BadConfig)
    return { text: `petstore: bad settings\n  ${error.problems.join('\n  ')}`, code: BAD_USAGE };
  if (error instanceof DatabaseUnusable || error instanceof CannotListen) {
    return { text: `petstore: ${error.message}`, code: CANNOT_START };
  }
  if (error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')) {
    return { text: `petstore: ${error.message}\nTry: petstore --help`, code: BAD_USAGE };
  }
  return { text: `petstore: ${error instanceof Error ? (error.stack ?? error.message) : error}`, code: CANNOT_START };
};

try {
  process.exit(await main(process.argv.slice(2)));
} catch (error) {
  const { text, code } = explain(error);
  console.error(text);
  process.exit(code);
}

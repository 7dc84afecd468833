import type { CommandResult } from '../../cli/args/invocation.ts';
import type { Variables as Environment } from '../../cli/args/variables.ts';
import { count, OUTPUT } from '../../cli/messages.ts';
import { allowsColours } from '../../cli/output/paint.ts';
import { createProgress as trackProgress, type Unit } from '../../cli/output/progress.ts';
import { CannotWrite, type Terminal } from '../../cli/output/terminal.ts';
import { systemClock } from '../kernel/runtime.ts';
import { isTerminal, standardError, standardOutput } from './standard-output.ts';

export type LocalCommand = (args: readonly string[], environment: Environment) => Promise<CommandResult>;

const USUAL_COLUMNS = 80;
const INTERRUPTED = 130;

const print = async (text: string): Promise<void> => {
  try {
    await standardOutput(Buffer.from(text));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw new CannotWrite(OUTPUT.standard, error);
    process.exit(0);
  }
};

const readLine = async (): Promise<string> => {
  let text = '';
  for await (const chunk of process.stdin) {
    text += chunk;
    if (text.includes('\n')) break;
  }
  return text.split('\n')[0] ?? '';
};

const SIGNALS = { SIGHUP: 129, SIGINT: INTERRUPTED, SIGTERM: 143 };
const acts = new Set<() => string | undefined>();

const interrupt = (signal: keyof typeof SIGNALS): void => {
  const texts = [...acts].reverse().map((act) => act());
  for (const text of texts) if (text) standardError(`${text}\n`);
  process.exit(SIGNALS[signal]);
};

const onInterrupt: Terminal['onInterrupt'] = (act) => {
  if (acts.size === 0) for (const signal of Object.keys(SIGNALS)) process.on(signal, interrupt);
  acts.add(act);
  return () => {
    acts.delete(act);
    if (acts.size === 0) for (const signal of Object.keys(SIGNALS)) process.off(signal, interrupt);
  };
};

const showProgress = (text: string): void => {
  if (process.stderr.isTTY) standardError(`\r\u001b[K${text}`);
};

const BACKSPACE = ['\b', '\u007f'];
const CTRL_C = '\u0003';
const ENDS = ['\r', '\n', '\u0004'];

const readTyped = (question: string): Promise<string> =>
  new Promise((resolve) => {
    const { stdin, stderr } = process;
    const typed: string[] = [];
    const end = () => {
      stdin.off('data', take);
      stdin.setRawMode(false);
      stdin.pause();
      stderr.write('\n');
    };
    const take = (chunk: Buffer): void => {
      for (const character of chunk.toString()) {
        if (character === CTRL_C) {
          end();
          process.exit(INTERRUPTED);
        }
        if (ENDS.includes(character)) {
          end();
          resolve(typed.join(''));
          return;
        }
        if (BACKSPACE.includes(character)) typed.pop();
        else typed.push(character);
      }
    };
    stdin.setRawMode(true);
    stdin.on('data', take);
    stderr.write(question);
  });

export const createTerminal = (environment: Environment): Terminal => {
  const isShown = isTerminal();
  return {
    columns: isShown ? process.stdout.columns || USUAL_COLUMNS : undefined,
    hasColours: isShown && allowsColours(environment),
    clock: systemClock,
    print,
    tell: (text) => standardError(`${text}\n`),
    showProgress,
    onInterrupt,
    input: () => process.stdin,
    ask: async (question) => {
      if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined;
      standardError(question);
      return readLine();
    },
    readSecret: (question) => (process.stdin.isTTY ? readTyped(question) : readLine()),
  };
};

const MB = 1_000_000;
const MEGABYTES: Unit = { spell: (bytes: number) => count(Math.round(bytes / MB)), name: ' MB' };

export const createProgress = (name: string, unit = MEGABYTES) =>
  trackProgress({ clock: systemClock, columns: process.stderr.columns || undefined, showProgress }, name, unit);

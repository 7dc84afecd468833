import { type Clock, systemClock } from '../../src/kernel/clock.ts';
import { FILES } from '../messages.ts';

/** Input and output of a command. */
export type Terminal = {
  /** Width in characters. Undefined for a file or pipe: nothing is truncated, and times are ISO 8601. */
  columns: number | undefined;
  hasColours: boolean;
  clock: Clock;
  /** Writes to standard output without buffering; resolves when there is room for more. */
  print(text: string): Promise<void>;
  /** Writes a line to standard error. False if it cannot be written. */
  tell(text: string): boolean;
  /** Shows progress in a single line that the next call replaces. An empty text clears it. Only shown on a terminal. */
  showProgress(text: string): void;
  /**
   * Registers an action that runs before Ctrl-C or another signal stops the command, and returns a last message. Call
   * the result to unregister it.
   */
  onInterrupt(act: () => string | undefined): () => void;
  /** Piped input. */
  input(): AsyncIterable<Uint8Array>;
  /** Reads a line from the keyboard; undefined without a keyboard, as in a script. */
  ask(question: string): Promise<string | undefined>;
  /** Reads a line from the keyboard or a pipe without echo. */
  readSecret(question: string): Promise<string>;
};

/** For output to a program: no width, no colours. */
export const NO_TERMINAL: Terminal = {
  columns: undefined,
  hasColours: false,
  clock: systemClock,
  print: async () => {},
  tell: () => true,
  showProgress: () => {},
  onInterrupt: () => () => {},
  input: async function* () {},
  ask: async () => undefined,
  readSecret: async () => '',
};

/** Asks before something is lost. Undefined without a keyboard, because nobody can reply. */
export const confirm = async ({ ask }: Terminal, question: string): Promise<boolean | undefined> => {
  const reply = await ask(`${question} [y/N] `);
  return reply === undefined ? undefined : /^y(es)?$/i.test(reply.trim());
};

/** Output was lost because its file, pipe or device is full or closed. */
export class CannotWrite extends Error {
  constructor(what: string, cause: unknown) {
    super(FILES.cannotWrite(what, cause), { cause });
  }
}

import { type Clock, systemClock } from '../../src/kernel/clock.ts';
import { FILES } from '../messages.ts';

export type Terminal = {
  /** Width in characters. Undefined for a file or pipe: nothing is truncated, and times are in ISO 8601. */
  columns: number | undefined;
  hasColours: boolean;
  clock: Clock;
  /** Writes to standard output without buffering. Resolves when the stream can accept more text. */
  print(text: string): Promise<void>;
  /** Writes a line to standard error. Returns false if the line cannot be written. */
  tell(text: string): boolean;
  /** On a terminal only: shows progress in a single line, which the next call replaces. Empty text clears the line. */
  showProgress(text: string): void;
  /**
   * Registers an action that runs before Ctrl-C or another signal stops the command. The action may return a last
   * message. Call the returned function to unregister the action.
   */
  onInterrupt(act: () => string | undefined): () => void;
  input(): AsyncIterable<Uint8Array>;
  /** Reads a line from the keyboard. Returns undefined without a keyboard, as in a script. */
  ask(question: string): Promise<string | undefined>;
  /** Reads a line from the keyboard, without echo, or from a pipe. */
  readSecret(question: string): Promise<string>;
};

/** For programs that read the output: no width and no colours. */
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

/** Asks for a confirmation before data is lost. Returns undefined without a keyboard, because nobody can reply. */
export const confirm = async ({ ask }: Terminal, question: string): Promise<boolean | undefined> => {
  const reply = await ask(`${question} [y/N] `);
  return reply === undefined ? undefined : /^y(es)?$/i.test(reply.trim());
};

/** Thrown when output is lost because its file, pipe or device is full or closed. */
export class CannotWrite extends Error {
  constructor(what: string, cause: unknown) {
    super(FILES.cannotWrite(what, cause), { cause });
  }
}

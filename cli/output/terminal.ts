import { type Clock, systemClock } from '../../src/kernel/clock.ts';
import { FILES } from '../messages.ts';

export type Terminal = {
  /**
   * Width in characters. For a file or pipe, the width is undefined: nothing is truncated, and times are in ISO 8601.
   */
  columns: number | undefined;
  hasColours: boolean;
  clock: Clock;
  /** Does not buffer. Resolves when standard output can accept more text. */
  print(text: string): Promise<void>;
  tell(text: string): boolean;
  /** Only on a terminal. The next call replaces the line. Empty text clears the line. */
  showProgress(text: string): void;
  /**
   * `act` runs before Ctrl-C or another signal stops the command, and may return a last message. The returned function
   * unregisters `act`.
   */
  onInterrupt(act: () => string | undefined): () => void;
  input(): AsyncIterable<Uint8Array>;
  /** Returns undefined without a keyboard, as in a script. */
  ask(question: string): Promise<string | undefined>;
  readSecret(question: string): Promise<string>;
};

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

/** Returns undefined without a keyboard, because nobody can reply. */
export const confirm = async ({ ask }: Terminal, question: string): Promise<boolean | undefined> => {
  const reply = await ask(`${question} [y/N] `);
  return reply === undefined ? undefined : /^y(es)?$/i.test(reply.trim());
};

export class CannotWrite extends Error {
  constructor(what: string, cause: unknown) {
    super(FILES.cannotWrite(what, cause), { cause });
  }
}

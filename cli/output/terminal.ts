import { type Clock, systemClock } from '../../src/kernel/clock.ts';

/** Input and output of a command. */
export type Terminal = {
  /** Width in characters. Undefined for a file or pipe: then nothing is cut, and times are ISO 8601. */
  columns: number | undefined;
  hasColours: boolean;
  clock: Clock;
  /** Writes to standard output (`tell`: standard error) without buffering. Resolves when there is room for more. */
  print(text: string): Promise<void>;
  tell(text: string): void;
  /** Shows progress on a single line that the next call replaces; an empty string clears it. Only on a terminal. */
  showProgress(text: string): void;
  /**
   * Registers an action that runs before Ctrl-C or another signal stops the command, and returns a last message. Call
   * the result to unregister it.
   */
  onInterrupt(act: () => string | undefined): () => void;
  /** Piped input. */
  input(): AsyncIterable<Uint8Array>;
  /** Reads a line from the keyboard or a pipe, without echo. */
  readSecret(question: string): Promise<string>;
};

/** For output to a program: no width, no colours. */
export const NO_TERMINAL: Terminal = {
  columns: undefined,
  hasColours: false,
  clock: systemClock,
  print: async () => {},
  tell: () => {},
  showProgress: () => {},
  onInterrupt: () => () => {},
  input: async function* () {},
  readSecret: async () => '',
};

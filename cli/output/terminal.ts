import { type Clock, systemClock } from '../../src/kernel/clock.ts';

/** Where a command writes to and reads from, as far as it matters to what is said. */
export type Terminal = {
  /** How wide it is. Undefined where the output goes to a file or another program: nothing is cut, and times are ISO 8601. */
  columns: number | undefined;
  hasColours: boolean;
  clock: Clock;
  /** Writes lines to standard output, or to standard error, at once; resolves when there is room for more. */
  print(text: string): Promise<void>;
  tell(text: string): void;
  /** Shows how far a long work is, in one line that is written over by the next; an empty one is gone. Nobody sees it elsewhere. */
  showProgress(text: string): void;
  /** What is done before Ctrl-C, or another wish to end, ends the command, and what is told then. Returns what takes it back. */
  onInterrupt(act: () => string | undefined): () => void;
  /** What is piped in. */
  input(): AsyncIterable<Uint8Array>;
  /** What is typed or piped in, up to the end of the line, shown to nobody. */
  readSecret(question: string): Promise<string>;
};

/** Neither a person nor colours: what a program gets. */
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

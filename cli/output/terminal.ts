import { type Clock, systemClock } from '../../src/kernel/clock.ts';
import { FILES } from '../messages.ts';

export type Terminal = {
  /** Width in characters. Undefined for a file or pipe, where nothing is cut and times are in ISO 8601. */
  columns: number | undefined;
  hasColours: boolean;
  clock: Clock;
  /** Writes without buffering. Resolves when standard output accepts more text. */
  print(text: string): Promise<void>;
  tell(text: string): boolean;
  /** Shows a line that the next call replaces, only on a terminal. Empty text clears the line. */
  showProgress(text: string): void;
  /** Calls `act` before a signal stops the command. `act` may return a last message. The result unregisters `act`. */
  onInterrupt(act: () => string | undefined): () => void;
  input(): AsyncIterable<Uint8Array>;
  /** Undefined without a keyboard, for example in a script. */
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

export const confirm = async ({ ask }: Terminal, question: string): Promise<boolean | undefined> => {
  const reply = await ask(`${question} [y/N] `);
  return reply === undefined ? undefined : /^y(es)?$/i.test(reply.trim());
};

export class CannotWrite extends Error {
  constructor(what: string, cause: unknown) {
    super(FILES.cannotWrite(what, cause), { cause });
  }
}

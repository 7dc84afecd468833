import type { Clock } from '../../src/kernel/runtime.ts';
import { FILES } from '../messages.ts';

export type Terminal = {
  /** Undefined if the output is a file or pipe. In this case, long cells are not truncated, and times are ISO 8601. */
  columns: number | undefined;
  hasColours: boolean;
  clock: Clock;
  print(text: string): Promise<void>;
  tell(text: string): boolean;
  /** Shows a line that the next call replaces. An empty string clears the line. */
  showProgress(text: string): void;
  onInterrupt(act: () => string | undefined): () => void;
  input(): AsyncIterable<Uint8Array>;
  /** Resolves to `undefined` if there is no user to answer, for example in a script. */
  ask(question: string): Promise<string | undefined>;
  readSecret(question: string): Promise<string>;
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

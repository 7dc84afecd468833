import type { Subject } from './policy.ts';
import type { Verdict, WindowView } from './window.ts';

/** Counts requests exactly: of any number that arrive together, just as many are admitted as the windows allow. */
export type Limiter = {
  take(subject: Subject): Promise<Verdict>;
  /** How the windows stand, for an answer that counts in none of them. */
  look(subject: Subject): Promise<readonly WindowView[]>;
};

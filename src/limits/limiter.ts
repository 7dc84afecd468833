import type { Soon } from '../kernel/soon.ts';
import type { Subject } from './policy.ts';
import type { Standing, Verdict } from './window.ts';

/** Counts requests exactly: of any number that arrive together, just as many are admitted as the windows allow. */
export type Limiter = {
  take(subject: Subject): Soon<Verdict>;
  /** How the subject stands, without counting anything. */
  look(subject: Subject): Promise<Standing>;
};

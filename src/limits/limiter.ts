import type { MaybePromise } from '../kernel/maybe-promise.ts';
import type { Subject } from './policy.ts';
import type { Standing, Verdict } from './window.ts';

/** Counts requests exactly: of any number that arrive together, just as many are admitted as the windows allow. */
export type Limiter = {
  take(subject: Subject): MaybePromise<Verdict>;
  /** How the subject stands, without counting anything. */
  peek(subject: Subject): Promise<Standing>;
};

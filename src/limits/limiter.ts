import type { MaybePromise } from '../kernel/maybe-promise.ts';
import type { Subject } from './policy.ts';
import type { Standing, Verdict } from './window.ts';

/** Counts requests exactly: of any number that arrive together, just as many are admitted as the windows allow. */
export type Limiter = {
  /** A request that costs more than one is admitted if all of it is left, and otherwise takes nothing. */
  take(subject: Subject, cost?: number): MaybePromise<Verdict>;
  /** How the subject stands, without counting anything. */
  peek(subject: Subject): Promise<Standing>;
};

/** What this process knows of the bans of all subjects. Those of other instances are heard of within a second. */
export type Bans = {
  /** When the ban of a subject ends, if it has one now. */
  bannedUntil(subjectId: string): number | undefined;
  /** Goes by the last ban of a subject as it is in the database now: it may be new, or have been lifted. */
  readBan(subjectId: string): Promise<void>;
};

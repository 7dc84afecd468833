import type { Ban, Tally } from './window.ts';

export type LimitReads = {
  /** Every tally that still matters at `now`. */
  load(now: number): Promise<Map<string, Tally>>;
  /** The last ban of a subject that is still remembered at `now`. */
  findBan(subjectId: string, now: number): Promise<Ban | undefined>;
};

/** What a restart must not forget: the open windows and the bans of the whole deployment. */
export type LimitRepository = LimitReads & {
  /** Keeps the windows of these subjects as they are now. */
  save(tallies: ReadonlyMap<string, Tally>): Promise<void>;
  /** Says whether the ban is new: one that is told again, after an answer got lost, changes nothing. */
  addBan(subjectId: string, ban: Ban): Promise<boolean>;
  /** Ends the ban that a subject has at `now`, as if it had lasted no time. */
  liftBan(subjectId: string, now: number): Promise<void>;
  /** Removes windows that have ended, no more at once than a request can wait for. Bans stay. */
  forget(now: number): Promise<void>;
};

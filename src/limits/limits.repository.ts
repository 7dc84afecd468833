import type { Ban, Tally } from './window.ts';

export type LimitReads = {
  /** Every tally that has not ended at `now`. */
  load(now: number): Promise<Map<string, Tally>>;
  /** The last ban of a subject that is still remembered at `now`. */
  findBan(subjectId: string, now: number): Promise<Ban | undefined>;
};

/** Keeps open windows and bans across restarts. */
export type LimitRepository = LimitReads & {
  save(tallies: ReadonlyMap<string, Tally>): Promise<void>;
  /** Returns whether the ban is new. A repeated call, after a lost reply, changes nothing. */
  addBan(subjectId: string, ban: Ban): Promise<boolean>;
  /** Ends the ban that a subject has at `now`, as if it had lasted no time. */
  liftBan(subjectId: string, now: number): Promise<void>;
  /** Removes some of the windows that have ended. Bans stay. */
  forget(now: number): Promise<void>;
};

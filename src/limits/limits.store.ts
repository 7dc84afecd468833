import type { Ban, Tally } from './window.ts';

/** What a restart must not forget: the open windows and the bans of the whole deployment. */
export type LimitStore = {
  /** Every tally that still matters at `now`. */
  load(now: number): Promise<Map<string, Tally>>;
  /** Keeps the windows of these subjects as they are now. */
  save(tallies: ReadonlyMap<string, Tally>): Promise<void>;
  addBan(subjectId: string, ban: Ban): Promise<void>;
  /** Removes the windows that have ended. Bans stay. */
  forget(now: number): Promise<void>;
};

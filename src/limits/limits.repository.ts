import type { Ban, Tally } from './window.ts';

export type LimitReads = {
  load(now: number): Promise<Map<string, Tally>>;
  findBan(subjectId: string, now: number): Promise<Ban | undefined>;
};

export type LimitRepository = LimitReads & {
  save(tallies: ReadonlyMap<string, Tally>): Promise<void>;
  /** Returns whether the ban was new. Repeating the call, for example after a lost reply, changes nothing. */
  addBan(subjectId: string, ban: Ban): Promise<boolean>;
  /** Lifts the ban that applies at `now`. A lifted ban has no length, so it does not make the next ban longer. */
  liftBan(subjectId: string, now: number): Promise<void>;
  /** Removes up to a fixed number of windows per call. Bans are kept. */
  forget(now: number): Promise<void>;
};

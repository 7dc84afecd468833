import type { Ban, Tally } from './window.ts';

export type LimitReads = {
  load(now: number): Promise<Map<string, Tally>>;
  findBan(subjectId: string, now: number): Promise<Ban | undefined>;
};

export type LimitRepository = LimitReads & {
  save(tallies: ReadonlyMap<string, Tally>): Promise<void>;
  /** Saves a ban and returns whether it was new. Repeating the call, as after a lost reply, changes nothing. */
  addBan(subjectId: string, ban: Ban): Promise<boolean>;
  /** Ends the ban that applies at `now`. A lifted ban has a length of zero, so it does not make the next ban longer. */
  liftBan(subjectId: string, now: number): Promise<void>;
  /** Removes expired windows, up to a fixed number per call. Bans are kept. */
  forget(now: number): Promise<void>;
};

import type { Ban, Tally } from './window.ts';

export type LimitReads = {
  load(now: number): Promise<Map<string, Tally>>;
  findBan(subjectId: string, now: number): Promise<Ban | undefined>;
};

export type LimitRepository = LimitReads & {
  save(tallies: ReadonlyMap<string, Tally>): Promise<void>;
  /** Returns true if the ban is new. Repeating the call, for example after a lost reply, changes nothing. */
  addBan(subjectId: string, ban: Ban): Promise<boolean>;
  /** Stores the lifted ban with a length of zero, so that it does not make the next ban longer. */
  liftBan(subjectId: string, now: number): Promise<void>;
  forget(now: number): Promise<void>;
};

import type { Clock } from '../kernel/clock.ts';
import type { MaybePromise } from '../kernel/maybe-promise.ts';
import type { Subject } from './policy.ts';
import {
  type Ban,
  banOf,
  isForgettable,
  peek,
  type Standing,
  supersedes,
  type Tally,
  take,
  type Verdict,
} from './window.ts';

/** So many subjects are written in one transaction: requests wait while it runs. */
const SLICE = 200;

/** So many subjects are looked at in one flush to see whether they can be forgotten: no request is served meanwhile. */
const SWEPT_AT_ONCE = 20_000;

type Deps = {
  clock: Clock;
  /** What was remembered at the last stop. */
  tallies: Map<string, Tally>;
  saveWindows(tallies: ReadonlyMap<string, Tally>): Promise<void>;
  saveBan(subject: Subject, ban: Ban): Promise<void>;
};

/** A limiter that can also judge by the instant of another counter. */
export type MemoryLimiter = {
  take(subject: Subject, cost?: number, now?: number): MaybePromise<Verdict>;
  peek(subject: Subject, now?: number): Promise<Standing>;
  /** From here on the subject is judged by what another counter remembers of it. A ban that nobody has saved is ours to save. */
  learn(subject: Subject, tally: Tally, isBanToSave: boolean): void;
  /** When the ban of a subject ends, if it has one now. */
  bannedUntil(subjectId: string): number | undefined;
  /** A ban as it is in the database: another instance may have saved it, or an operator lifted it. */
  applyBan(subjectId: string, ban: Ban): MaybePromise<void>;
  /** Writes what was counted since the last call, and forgets what has ended. */
  flush(): Promise<void>;
};

/** Bans that are not on disk yet, each with the attempt to put it there if one is under way. */
const createUnsavedBans = (saveBan: Deps['saveBan']) => {
  const unsaved = new Map<string, { ban: Ban; saving?: Promise<void> | undefined }>();
  return {
    add: (id: string, ban: Ban) => unsaved.set(id, { ban }),
    has: (id: string) => unsaved.has(id),

    /** Another ban than ours came of it: that is the one which holds. */
    keepOnly(id: string, ban: Ban): void {
      if (unsaved.get(id)?.ban.bannedAt !== ban.bannedAt) unsaved.delete(id);
    },

    /** A ban that could not be saved is tried again by the next request it refuses, and told to nobody until then. */
    async save(subject: Subject): Promise<void> {
      const entry = unsaved.get(subject.id);
      if (!entry) return;
      entry.saving ??= saveBan(subject, entry.ban)
        .then(() => {
          if (unsaved.get(subject.id) === entry) unsaved.delete(subject.id);
        })
        .finally(() => {
          entry.saving = undefined;
        });
      await entry.saving;
    },
  };
};

/** Forgets what has ended and is not to be written, from where the last sweep stopped. */
const createSweep = (tallies: Map<string, Tally>) => {
  let unswept = tallies.entries();
  return (now: number, changed: ReadonlyMap<string, Tally>): void => {
    for (let seen = 0; seen < SWEPT_AT_ONCE; seen += 1) {
      const { done, value } = unswept.next();
      if (done) {
        unswept = tallies.entries();
        return;
      }
      const [id, tally] = value;
      if (!changed.has(id) && isForgettable(tally, now)) tallies.delete(id);
    }
  };
};

/**
 * The limiter of a single process. Counts live in memory and reach the database a little later, so that no request
 * waits for them; a ban is on disk before anyone is told of it.
 */
export const createMemoryLimiter = ({ clock, tallies, saveWindows, saveBan }: Deps): MemoryLimiter => {
  const changed = new Map<string, Tally>();
  const unsaved = createUnsavedBans(saveBan);
  const sweep = createSweep(tallies);

  const startTally = (id: string): Tally => {
    const fresh: Tally = { windows: {} };
    tallies.set(id, fresh);
    return fresh;
  };

  return {
    take(subject, cost = 1, now = clock()) {
      const tally = tallies.get(subject.id) ?? startTally(subject.id);
      const { verdict, began } = take(subject, tally, now, cost);
      changed.set(subject.id, tally);
      if (began) unsaved.add(subject.id, began);
      return verdict.refused?.by === 'ban' ? unsaved.save(subject).then(() => verdict) : verdict;
    },

    async peek(subject, now = clock()) {
      const { windows, bannedUntil } = peek(subject, tallies.get(subject.id) ?? { windows: {} }, now);
      return bannedUntil === undefined || unsaved.has(subject.id) ? { windows } : { windows, bannedUntil };
    },

    bannedUntil(subjectId) {
      const tally = tallies.get(subjectId);
      return tally && !unsaved.has(subjectId) ? banOf(tally, clock())?.until : undefined;
    },

    learn(subject, tally, isBanToSave) {
      tallies.set(subject.id, tally);
      const { ban } = tally;
      if (!ban) return;
      unsaved.keepOnly(subject.id, ban);
      if (isBanToSave) unsaved.add(subject.id, ban);
    },

    applyBan(subjectId, ban) {
      const tally = tallies.get(subjectId) ?? startTally(subjectId);
      if (supersedes(ban, tally.ban)) tally.ban = ban;
    },

    async flush() {
      const now = clock();
      // What is counted from here on is left to the next flush: one that waits for a pause in the requests never ends.
      const batch = [...changed];
      changed.clear();
      while (batch.length > 0) {
        try {
          await saveWindows(new Map(batch.slice(0, SLICE)));
        } catch (error) {
          for (const [id, tally] of batch) changed.set(id, tally);
          throw error;
        }
        batch.splice(0, SLICE);
      }
      sweep(now, changed);
    },
  };
};

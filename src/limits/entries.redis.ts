import { isOwing, type Known, newKnown } from './known.redis.ts';
import type { Subject } from './policy.ts';
import type { Standing, Verdict } from './window.ts';

/** So many subjects are known here at most. Beyond that the one known longest is forgotten. */
const MOST_KNOWN = 50_000;
/** Among so many of those known longest, one that Redis need not be told anything of is forgotten first. */
const LOOKED_AT = 100;

export type Waiting = { reject(error: unknown): void } & (
  | { counts: true; resolve(verdict: Verdict): void }
  | { counts: false; resolve(standing: Standing): void }
);

export type Entry = {
  /** As it was last named: its limits may change. */
  subject: Subject;
  known: Known;
  waiting: Waiting[];
  /** There is one call at a time for each subject. */
  isAsking: boolean;
  /** That call was given up, and Redis may still answer it. */
  isOverdue: boolean;
  /** What is known may no longer hold: Redis is asked next time. */
  isStale: boolean;
  /** Whether Redis or the database has been asked for the ban of this subject. */
  isBanKnown: boolean;
  isHeard: boolean;
  saving?: Promise<void> | undefined;
};

export const newEntry = (subject: Subject, aheadMs: number): Entry => ({
  subject,
  known: newKnown(aheadMs),
  waiting: [],
  isAsking: false,
  isOverdue: false,
  isStale: false,
  isBanKnown: false,
  isHeard: false,
});

/** What this instance knows of the subjects it has seen. */
export const createEntries = (aheadMs: () => number, mostKnown = MOST_KNOWN) => {
  const entries = new Map<string, Entry>();
  const owing = new Set<Entry>();

  const makeRoom = (): void => {
    const oldest = entries.values().take(LOOKED_AT).toArray();
    const entry = oldest.find(({ isAsking, known }) => !isAsking && !isOwing(known)) ?? oldest[0];
    if (!entry) return;
    owing.delete(entry);
    entries.delete(entry.subject.id);
  };

  return {
    find: (subjectId: string): Entry | undefined => entries.get(subjectId),

    of(subject: Subject): Entry {
      const known = entries.get(subject.id);
      if (known) {
        known.subject = subject;
        return known;
      }
      if (entries.size >= mostKnown) makeRoom();
      const entry = newEntry(subject, aheadMs());
      entries.set(subject.id, entry);
      return entry;
    },

    /** To be called when what Redis has to be told of the subject may have changed. */
    noteDebts(entry: Entry): void {
      if (isOwing(entry.known)) owing.add(entry);
      else owing.delete(entry);
    },

    /** The subjects of which Redis has to be told something. */
    owing: (): Entry[] => [...owing],
  };
};

export type Entries = ReturnType<typeof createEntries>;

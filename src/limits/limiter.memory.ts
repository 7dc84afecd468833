import { type Clock, type MaybePromise, shareRuns } from '../kernel/runtime.ts';
import {
  type Ban,
  banOf,
  isForgettable,
  peek,
  type Subject,
  supersedes,
  type Tally,
  take,
  type Verdict,
} from './window.ts';

// Number of keys and addresses saved per transaction. Requests wait while the transaction runs, so it must be short.
const SLICE = 200;

const SWEPT_PER_FLUSH = 20_000;

type Deps = {
  clock: Clock;
  tallies: Map<string, Tally>;
  saveWindows(tallies: ReadonlyMap<string, Tally>): Promise<void>;
  saveBan(subject: Subject, ban: Ban): Promise<void>;
};

const createSweep = (tallies: Map<string, Tally>) => {
  let unswept = tallies.entries();
  return (now: number, changed: ReadonlyMap<string, Tally>): void => {
    for (let seen = 0; seen < SWEPT_PER_FLUSH; seen += 1) {
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

/** Request counts are saved later, so that no request waits for the disk. A ban is saved before any caller sees it. */
export const createMemoryLimiter = ({ clock, tallies, saveWindows, saveBan }: Deps) => {
  const changed = new Map<string, Tally>();
  const unsaved = new Map<string, { ban: Ban; save(): Promise<void> }>();
  const sweep = createSweep(tallies);

  const startTally = (id: string): Tally => {
    const fresh: Tally = { windows: {} };
    tallies.set(id, fresh);
    return fresh;
  };

  /** If a ban cannot be saved, the limiter tries again the next time the ban causes a refusal. */
  const addUnsaved = (subject: Subject, ban: Ban): void => {
    const save = shareRuns(async () => {
      await saveBan(subject, ban);
      if (unsaved.get(subject.id)?.ban === ban) unsaved.delete(subject.id);
    });
    unsaved.set(subject.id, { ban, save });
  };

  return {
    take(subject: Subject, cost = 1, now = clock()): MaybePromise<Verdict> {
      const tally = tallies.get(subject.id) ?? startTally(subject.id);
      const { verdict, began } = take(subject, tally, now, cost);
      changed.set(subject.id, tally);
      if (began) addUnsaved(subject, began);
      const unsavedBan = verdict.refused?.by === 'ban' ? unsaved.get(subject.id) : undefined;
      return unsavedBan ? unsavedBan.save().then(() => verdict) : verdict;
    },

    peek: async (subject: Subject, now = clock()) => peek(subject, tallies.get(subject.id) ?? { windows: {} }, now),

    bannedUntil(subjectId: string): number | undefined {
      const tally = tallies.get(subjectId);
      return tally && !unsaved.has(subjectId) ? banOf(tally, clock())?.until : undefined;
    },

    learn(subject: Subject, tally: Tally, isBanToSave: boolean): void {
      tallies.set(subject.id, tally);
      const { ban } = tally;
      if (!ban) return;
      if (unsaved.get(subject.id)?.ban.bannedAt !== ban.bannedAt) unsaved.delete(subject.id);
      if (isBanToSave) addUnsaved(subject, ban);
    },

    applyBan(subjectId: string, ban: Ban): void {
      const tally = tallies.get(subjectId) ?? startTally(subjectId);
      if (supersedes(ban, tally.ban)) tally.ban = ban;
    },

    async flush(): Promise<void> {
      const now = clock();
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

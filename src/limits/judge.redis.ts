import type { Entries, Entry, Waiting } from './entries.redis.ts';
import { hasUnsavedBan, isBanned, learnBan, nowOf, standingOf, takeHere, verdictsOf } from './known.redis.ts';
import type { Subject } from './policy.ts';
import type { Judged } from './script.redis.ts';
import type { RedisTime } from './time.redis.ts';
import type { Ban, Verdict } from './window.ts';

export type BanDeps = {
  /** Saving the same ban of a subject again changes nothing. */
  saveBan(subject: Subject, ban: Ban): Promise<void>;
  /** The last ban of a subject that Redis knows nothing of: it may have lost its data. */
  findBan(subjectId: string): Promise<Ban | undefined>;
};

type Deps = BanDeps & { entries: Entries; time: RedisTime };

/** Answers those who wait: by what Redis said, or by what is known here. No ban is told before it is saved. */
export const createJudge = ({ entries, time, saveBan, findBan }: Deps) => {
  /** Resolves when the ban is in the database. One that cannot be saved is tried again by whoever it refuses next. */
  const saved = async (entry: Entry): Promise<void> => {
    const { known, subject } = entry;
    while (known.tally.ban && hasUnsavedBan(known)) {
      const { ban } = known.tally;
      entry.saving ??= saveBan(subject, ban)
        .then(() => {
          known.savedBan = ban.bannedAt;
          known.owesBan = true;
          entries.noteDebts(entry);
        })
        .finally(() => {
          entry.saving = undefined;
        });
      await entry.saving;
    }
  };

  const tell = (entry: Entry, { resolve, reject }: Waiting & { counts: true }, verdict: Verdict): void => {
    if (verdict.refused?.by !== 'ban' || !hasUnsavedBan(entry.known)) resolve(time.shown(verdict));
    else saved(entry).then(() => resolve(time.shown(verdict)), reject);
  };

  /** Looks the ban up in the database. If that fails, so do those who wait, and `false` is returned. */
  const findBanFor = async (entry: Entry, batch: readonly Waiting[]): Promise<boolean> => {
    try {
      const ban = await findBan(entry.subject.id);
      if (ban) learnBan(entry.known, ban);
      entry.isBanKnown = true;
      return true;
    } catch (error) {
      for (const { reject } of batch) reject(error);
      return false;
    }
  };

  return {
    findBanFor,

    /** Judges by what is known here, because Redis is not to be asked. */
    async judgeHere(entry: Entry, batch: readonly Waiting[]): Promise<void> {
      const { known, subject } = entry;
      if (subject.ban && !entry.isBanKnown && !(await findBanFor(entry, batch))) return;
      const now = nowOf(known);
      for (const waiting of batch) {
        if (waiting.counts) tell(entry, waiting, takeHere(known, subject, now));
        else waiting.resolve(time.shown(standingOf(known, subject, now)));
      }
      entries.noteDebts(entry);
    },

    /** Answers by what Redis has said of so many requests. */
    answer(entry: Entry, batch: readonly Waiting[], requests: number, judged: Judged): void {
      const { subject, known } = entry;
      const verdicts = verdictsOf(subject, judged, requests).values();
      for (const waiting of batch) {
        if (waiting.counts) tell(entry, waiting, verdicts.next().value as Verdict);
        else waiting.resolve(time.shown(standingOf(known, subject, judged.now)));
      }
      // It may have begun with a refusal that was reported, and that nobody waits for.
      if (hasUnsavedBan(known) && isBanned(known, judged.now)) saved(entry).catch(() => undefined);
    },
  };
};

export type Judge = ReturnType<typeof createJudge>;

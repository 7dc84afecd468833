import type { Clock } from '../kernel/clock.ts';
import type { Limiter } from './limiter.ts';
import type { Subject } from './policy.ts';
import { type Ban, isForgettable, look, type Tally, take } from './window.ts';

type Deps = {
  clock: Clock;
  /** What was remembered at the last stop. */
  tallies: Map<string, Tally>;
  saveWindows(tallies: ReadonlyMap<string, Tally>): Promise<void>;
  saveBan(subject: Subject, ban: Ban): Promise<void>;
};

export type MemoryLimiter = Limiter & {
  /** Writes what was counted since the last call, and forgets what has ended. */
  flush(): Promise<void>;
};

/**
 * The limiter of a single process. Counts live in memory and reach the database a little later, so that no request
 * waits for them; a ban is on disk before anyone is told of it.
 */
export const createMemoryLimiter = ({ clock, tallies, saveWindows, saveBan }: Deps): MemoryLimiter => {
  const changed = new Map<string, Tally>();
  const bansBeingSaved = new Map<string, Promise<void>>();

  const tallyOf = (id: string): Tally => {
    const known = tallies.get(id);
    if (known) return known;
    const fresh: Tally = { windows: {} };
    tallies.set(id, fresh);
    return fresh;
  };

  return {
    async take(subject) {
      const tally = tallyOf(subject.id);
      const { verdict, began } = take(subject, tally, clock());
      changed.set(subject.id, tally);
      if (began) {
        const saved = saveBan(subject, began).finally(() => bansBeingSaved.delete(subject.id));
        bansBeingSaved.set(subject.id, saved);
      }
      if (verdict.refused?.by === 'ban') await bansBeingSaved.get(subject.id);
      return verdict;
    },

    async look(subject) {
      return look(subject, tallies.get(subject.id) ?? { windows: {} }, clock());
    },

    async flush() {
      const now = clock();
      const batch = new Map(changed);
      changed.clear();
      try {
        if (batch.size > 0) await saveWindows(batch);
      } catch (error) {
        for (const [id, tally] of batch) changed.set(id, tally);
        throw error;
      }
      for (const [id, tally] of tallies) {
        if (!changed.has(id) && isForgettable(tally, now)) tallies.delete(id);
      }
    },
  };
};

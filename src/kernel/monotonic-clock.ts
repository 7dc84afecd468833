import type { Clock } from './clock.ts';

export type MonotonicClock = Clock & {
  /** Whether it was ahead of the clock it follows when it was last read: asked of every request. */
  isAhead(): boolean;
  /** How far it is ahead of the clock it follows. */
  aheadMs(): number;
  /** From here on it shows no earlier instant than this one. */
  advanceTo(instant: number): void;
};

/**
 * Follows a clock that may be set, and never goes back: while that clock is behind what was shown before, time goes on by
 * the stopwatch. Set forward it follows at once, because nobody can tell that from time that has passed unseen.
 */
export const createMonotonicClock = (clock: Clock, stopwatch: () => number): MonotonicClock => {
  let last = Number.NEGATIVE_INFINITY;
  /** The stopwatch at the last reading, while the clock is behind. */
  let mark: number | undefined;

  const now = (): number => {
    const told = clock();
    if (told >= last) {
      last = told;
      mark = undefined;
      return told;
    }
    const read = stopwatch();
    last += read - (mark ?? read);
    mark = read;
    return Math.floor(last);
  };

  return Object.assign(now, {
    isAhead: () => mark !== undefined,
    // The clock may tick between its two readings.
    aheadMs: () => Math.max(0, now() - clock()),
    advanceTo(instant: number) {
      if (!(instant > now())) return;
      last = instant;
      now();
    },
  });
};

/** The present instant in milliseconds since 1970, UTC. */
export type Clock = () => number;

/** A lease that ends this much later than one taken now was taken before the clock was set back: it is over. */
export const LEASE_SET_AHEAD_MS = 60_000;

export const systemClock: Clock = Date.now;

/** `20261116T030405Z`: for the name of a file, and names sort as the instants do. */
export const spellFileTime = (now: number): string => new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, '');

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

const HOUR_MS = 3_600_000;

/** NTP slews a clock by at most 1.8 s an hour (500 ppm). Anything faster is a clock that was set. */
const TOLERANCE_MS = 5000;

/** The present instant, or undefined while the clock cannot be trusted with anything that cannot be undone. */
export type TrustedClock = () => number | undefined;

type Deps = {
  clock: Clock;
  /** A monotonic clock in milliseconds. */
  stopwatch(): number;
  jumped(byMs: number): void;
};

/**
 * Trusts the clock once it has agreed with the stopwatch for an hour. A start and every jump begin a new hour. A jump is
 * noticed at the next reading, so a reading returns no instant that it has not checked.
 */
export const createClockGuard = ({ clock, stopwatch, jumped }: Deps): TrustedClock => {
  let agreedSince = stopwatch();
  let marked = { at: agreedSince, aheadMs: clock() - agreedSince };

  return () => {
    const [now, at] = [clock(), stopwatch()];
    const aheadMs = now - at;
    const byMs = aheadMs - marked.aheadMs;
    const isJump = Math.abs(byMs) > TOLERANCE_MS;
    if (isJump) {
      agreedSince = at;
      jumped(byMs);
    }
    // The tolerance applies to one hour: over time, slewing may add up to any difference.
    if (isJump || at - marked.at >= HOUR_MS) marked = { at, aheadMs };
    return at - agreedSince >= HOUR_MS ? now : undefined;
  };
};

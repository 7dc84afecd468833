/** Milliseconds since 1970, UTC. */
export type Clock = () => number;

/** A lease that ends this much later than a new one was taken before the clock was set back: it has expired. */
export const LEASE_SET_AHEAD_MS = 60_000;

export const systemClock: Clock = Date.now;

/** `20261116T030405Z`: file names that sort by time. */
export const spellFileTime = (now: number): string => new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, '');

export type MonotonicClock = Clock & {
  /** Whether it was ahead of the system clock at the last reading: read on every request. */
  isAhead(): boolean;
  aheadMs(): number;
  /** Never shows an earlier instant from now on. */
  advanceTo(instant: number): void;
};

/**
 * Follows a clock that may be set, and never goes back: while that clock is behind, time advances by the stopwatch. It
 * follows a clock that is set forward immediately: that looks the same as a suspended machine.
 */
export const createMonotonicClock = (clock: Clock, stopwatch: () => number): MonotonicClock => {
  let last = Number.NEGATIVE_INFINITY;
  /** The stopwatch at the last reading, while the clock is behind. */
  let mark: number | undefined;

  const now = (): number => {
    const shown = clock();
    if (shown >= last) {
      last = shown;
      mark = undefined;
      return shown;
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

/** NTP slews a clock by at most 1.8 s per hour (500 ppm); a faster change means that the clock was set. */
const TOLERANCE_MS = 5000;

/** The current time; undefined while the clock is not trusted for work that cannot be undone. */
export type TrustedClock = () => number | undefined;

type Deps = { clock: Clock; stopwatch(): number; jumped(byMs: number): void };

/**
 * Trusts the clock once it has agreed with the monotonic stopwatch for an hour. A start and each jump begin a new hour.
 * Each reading checks for a jump first.
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

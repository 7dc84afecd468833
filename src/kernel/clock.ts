/** Milliseconds since 1970, UTC. */
export type Clock = () => number;

/**
 * Tolerance for the end of a lease, in ms. A lease that ends later than a new lease plus this time was made before the
 * clock was set back, and counts as expired.
 */
export const LEASE_SET_AHEAD_MS = 60_000;

export const systemClock: Clock = Date.now;

export const formatFileTime = (now: number): string => new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, '');

const HOUR_MS = 3_600_000;

/**
 * Maximum change of the clock per hour, in ms. NTP adjusts a clock by at most 1.8 s per hour (500 ppm), so a larger
 * change means that someone set the clock.
 */
const TOLERANCE_MS = 5000;

/** Returns the current time, or undefined while the clock may be wrong. Deleting old rows must then wait. */
export type TrustedClock = () => number | undefined;

type Deps = { clock: Clock; stopwatch(): number; jumped(byMs: number): void };

/**
 * Trusts the clock once it has agreed with a monotonic stopwatch for an hour. The hour begins at startup, and again
 * after each jump of the clock. `jumped` is called for each jump.
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
    // The tolerance is for one hour. Over a longer time, NTP's adjustments could add up to any difference.
    if (isJump || at - marked.at >= HOUR_MS) marked = { at, aheadMs };
    return at - agreedSince >= HOUR_MS ? now : undefined;
  };
};

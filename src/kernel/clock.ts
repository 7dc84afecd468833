/** Milliseconds since 1970, UTC. */
export type Clock = () => number;

/** If a lease ends more than this many ms after a new lease would, the clock was set back. The lease has expired. */
export const LEASE_SET_AHEAD_MS = 60_000;

export const systemClock: Clock = Date.now;

export const formatFileTime = (now: number): string => new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, '');

const HOUR_MS = 3_600_000;

/** NTP slews a clock by at most 1.8 s per hour (500 ppm). A larger change means that someone set the clock. */
const TOLERANCE_MS = 5000;

/** Returns the current time; undefined while the clock is not trusted for irreversible work. */
export type TrustedClock = () => number | undefined;

type Deps = { clock: Clock; stopwatch(): number; jumped(byMs: number): void };

/**
 * Trusts the clock once it has agreed with the monotonic stopwatch for an hour. The hour begins at startup, and again
 * after each jump of the clock. Each call checks for a jump first.
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
    // The tolerance applies to one hour. Over a longer time, slewing can add up to any difference.
    if (isJump || at - marked.at >= HOUR_MS) marked = { at, aheadMs };
    return at - agreedSince >= HOUR_MS ? now : undefined;
  };
};

/** Milliseconds since 1970, UTC. */
export type Clock = () => number;

/**
 * A leader's term, or the claim of a delivery, may end this many milliseconds later than one that starts now. If it ends
 * even later, someone has set the clock back since it began, and it counts as expired.
 */
export const SET_AHEAD_MS = 60_000;

export const systemClock: Clock = Date.now;

export const formatFileTime = (now: number): string => new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, '');

const HOUR_MS = 3_600_000;

/**
 * Milliseconds by which the clock may drift in an hour. NTP corrects a clock by at most 1.8 s per hour (500 ppm), so a
 * larger difference means that someone set the clock.
 */
const TOLERANCE_MS = 5000;

/** Returns undefined while the clock may be wrong. Callers must not delete old rows during that time. */
export type TrustedClock = () => number | undefined;

type Deps = { clock: Clock; stopwatch(): number; jumped(byMs: number): void };

/**
 * Trusts the clock after it has agreed with a monotonic stopwatch for an hour. The hour starts again whenever the clock
 * jumps.
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
    // Compares with a mark that is at most an hour old, because small NTP corrections add up over a longer time.
    if (isJump || at - marked.at >= HOUR_MS) marked = { at, aheadMs };
    return at - agreedSince >= HOUR_MS ? now : undefined;
  };
};

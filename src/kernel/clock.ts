/** Milliseconds since 1970, UTC. */
export type Clock = () => number;

/**
 * Tolerance in milliseconds. If a leader's term or a delivery's claim exceeds its maximum length by more than this, the
 * clock was set back after it began. Such a term or claim counts as expired.
 */
export const SET_AHEAD_MS = 60_000;

export const systemClock: Clock = Date.now;

export const formatFileTime = (now: number): string => new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, '');

const HOUR_MS = 3_600_000;

/**
 * How far a correct clock may drift in an hour, in milliseconds. NTP adjusts a clock by at most 1.8 s per hour (500
 * ppm), so a larger difference means that someone set the clock.
 */
const TOLERANCE_MS = 5000;

/** Returns undefined while the clock may be wrong. In that case, callers must not delete old rows. */
export type TrustedClock = () => number | undefined;

type Deps = { clock: Clock; stopwatch(): number; jumped(byMs: number): void };

/** Trusts the clock once it has agreed with a monotonic stopwatch for an hour. Each jump restarts the hour. */
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
    // Compares with a measurement that is at most an hour old, because small NTP corrections add up over a longer time.
    if (isJump || at - marked.at >= HOUR_MS) marked = { at, aheadMs };
    return at - agreedSince >= HOUR_MS ? now : undefined;
  };
};

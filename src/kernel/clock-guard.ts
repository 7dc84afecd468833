import type { Clock } from './clock.ts';

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

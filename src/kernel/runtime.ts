/** Awaiting a plain value creates a promise, which takes as long as reading a pet, so hot code awaits only promises. */
export type MaybePromise<Value> = Value | Promise<Value>;

/** Awaiting `nextTurn` lets requests that have already arrived run first. */
export { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

/** Returns monotonic time in milliseconds. Unlike the system clock, monotonic time cannot be set. */
export type Elapsed = () => number;

export const elapsed: Elapsed = performance.now.bind(performance);

/** The processor time that this process has used. Time spent waiting for a remote database is not included. */
export const processorMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

export const once = <Value>(make: () => Value): (() => Value) => {
  let kept: { value: Value } | undefined;
  return () => {
    kept ??= { value: make() };
    return kept.value;
  };
};

/** Copies the string, because a slice would keep the whole original string in memory. */
export const copyText = (text: string): string => Buffer.from(text).toString();

export const tryTo = <Value>(make: () => Value): Value | undefined => {
  try {
    return make();
  } catch {
    return undefined;
  }
};

export const lazy = <Value>(make: () => Promise<Value>): (() => Promise<Value>) => {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make().catch((error) => {
      made = undefined;
      throw error;
    });
    return made;
  };
};

/** Calls that arrive during a run share that run. */
export const shareRuns = <Value>(run: () => Promise<Value>): (() => Promise<Value>) => {
  let running: Promise<Value> | undefined;
  return () => {
    running ??= run().finally(() => {
      running = undefined;
    });
    return running;
  };
};

/** Returns the current time in milliseconds since 1970, UTC. */
export type Clock = () => number;

/**
 * A leader's term and a delivery's claim have a maximum length. If more than this length plus one minute is left, the
 * clock must have been set back, and the term or claim counts as expired.
 */
export const SET_AHEAD_MS = 60_000;

export const systemClock: Clock = Date.now;

export const formatFileTime = (now: number): string => new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, '');

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

// NTP adjusts a clock by at most 1.8 s per hour (500 ppm). A larger difference means that someone has set the clock.
const TOLERANCE_MS = 5000;

/** Returns undefined while the clock may be wrong. In that case, callers must not delete old rows. */
export type TrustedClock = () => number | undefined;

type Deps = { clock: Clock; stopwatch(): number; jumped(byMs: number): void };

/** Trusts the clock after it has agreed with a monotonic stopwatch for an hour. Each jump restarts the hour. */
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
    // Small NTP corrections add up over time, so the clock is compared with a measurement that is at most an hour old.
    if (isJump || at - marked.at >= HOUR_MS) marked = { at, aheadMs };
    return at - agreedSince >= HOUR_MS ? now : undefined;
  };
};

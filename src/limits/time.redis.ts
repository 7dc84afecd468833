import type { Clock } from '../kernel/clock.ts';
import type { Standing, Verdict } from './window.ts';

/** A clock of Redis that is off by less than this is taken for ours, so that the end of a window stays one instant. */
const SAME_CLOCK_MS = 750;

/** Redis counts by its own clock; answers tell the time by ours, and what lasts is measured by neither. */
export const createRedisTime = (clock: Clock) => {
  let aheadMs = clock() - performance.now();
  let shownAheadMs = 0;

  return {
    /** The time of Redis less that of this process, as it was last heard. */
    aheadMs: () => aheadMs,

    /** Takes note of an instant of Redis in an answer to what was sent at `sentAt`; it is not from before that. */
    note(now: number, sentAt: number): void {
      aheadMs = now - sentAt;
      const measured = now - clock();
      if (Math.abs(measured - shownAheadMs) > SAME_CLOCK_MS) shownAheadMs = Math.round(measured / 1000) * 1000;
    },

    /** With the instants of our clock in place of those of Redis. */
    shown<Result extends Verdict | Standing>(result: Result): Result {
      if (shownAheadMs === 0) return result;
      const { refused, bannedUntil } = result as Verdict & Standing;
      return {
        ...result,
        windows: result.windows.map((window) => ({ ...window, resetAt: window.resetAt - shownAheadMs })),
        ...(refused && { refused: { ...refused, until: refused.until - shownAheadMs } }),
        ...(bannedUntil !== undefined && { bannedUntil: bannedUntil - shownAheadMs }),
      };
    },
  };
};

export type RedisTime = ReturnType<typeof createRedisTime>;

import { createCounts } from '../kernel/counts.ts';
import type { Elapsed } from '../kernel/runtime.ts';

const SECOND_MS = 1000;
/** The window is longer than a second, because network delays can reduce the time between two requests. */
const WINDOW_MS = 1.1 * SECOND_MS;
/** Attempts that had to wait are spread over this fraction of a second. Otherwise, they would form another burst. */
const SPREAD = 0.8;

export const hostAndPort = (text: string): string => {
  const url = new URL(text);
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return `${url.hostname.replace(/\.$/, '')}:${port}`;
};

type Limits = { perSecond: number; atOnce: number };

/**
 * Limits the delivery attempts for one host: at most `perSecond` attempts may start in any one second, and at most
 * `atOnce` attempts may run at the same time. Waiting stores take turns. A store with running attempts may start
 * another attempt only if more slots are free than the store already uses. This rule leaves a slot for the next store.
 *
 * The budget keeps the times of recent starts. The GCRA algorithm would need only one number per host, but could not
 * allow a burst of 20 attempts and still limit every second to 20 attempts.
 */
export const createHostBudget = ({ perSecond, atOnce }: Limits, elapsed: Elapsed) => {
  const running = createCounts<bigint>();
  const waiting = new Set<bigint>();
  const refused = new Set<bigint>();
  let starts: { at: number }[] = [];
  let heldUpAt = Number.NEGATIVE_INFINITY;

  const rateWaitMs = (): number => {
    const now = elapsed();
    starts = starts.filter(({ at }) => now - at < WINDOW_MS);
    const [oldest, latest] = [starts.at(0)?.at, starts.at(-1)?.at];
    if (oldest === undefined || latest === undefined) return 0;
    const fitsMs = starts.length < perSecond ? 0 : oldest + WINDOW_MS - now;
    const apartMs = now - heldUpAt < 2 * SECOND_MS ? latest + (SPREAD * SECOND_MS) / perSecond - now : 0;
    return Math.max(0, fitsMs, apartMs);
  };

  const hasPlaceFor = (storeId: bigint): boolean => {
    const free = atOnce - running.total();
    const inStore = running.of(storeId);
    return free > 0 && (inStore === 0 || inStore < free);
  };

  const nextStore = (): bigint | undefined => waiting.values().find(hasPlaceFor);

  return {
    requestStart(storeId: bigint): boolean {
      const isInRate = rateWaitMs() === 0;
      if (!isInRate) heldUpAt = elapsed();
      const isNext = (nextStore() ?? storeId) === storeId;
      if (isInRate && isNext && hasPlaceFor(storeId)) return true;
      waiting.add(storeId);
      refused.add(storeId);
      return false;
    },

    /** When the request is actually sent, the caller must call the returned function, which corrects the start time. */
    begin(storeId: bigint): () => void {
      const start = { at: elapsed() };
      waiting.delete(storeId);
      starts.push(start);
      running.add(storeId, 1);
      return () => Object.assign(start, { at: elapsed() });
    },
    end: (storeId: bigint): void => running.add(storeId, -1),

    placesLeft: (storeId: bigint): number => atOnce / 2 - running.of(storeId),

    /** Must be called after each search for due deliveries. Stores that have nothing left to start stop waiting. */
    endPass(storeId: bigint | undefined): boolean {
      for (const waiter of storeId === undefined ? waiting : [storeId]) {
        if (!refused.has(waiter)) waiting.delete(waiter);
      }
      refused.clear();
      return waiting.size > 0;
    },

    next(): { storeId: bigint; inMs: number } | undefined {
      const storeId = nextStore();
      return storeId === undefined ? undefined : { storeId, inMs: rateWaitMs() };
    },

    isIdle: (): boolean =>
      running.total() === 0 && waiting.size === 0 && starts.every(({ at }) => elapsed() - at >= WINDOW_MS),
  };
};

export type HostBudget = ReturnType<typeof createHostBudget>;

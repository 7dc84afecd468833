import { createCounts } from '../kernel/counts.ts';
import type { Elapsed } from '../kernel/runtime.ts';

const SECOND_MS = 1000;
/** Length of the rate window, in ms. It exceeds a second, because network delays can move attempts closer together. */
const WINDOW_MS = 1.1 * SECOND_MS;
/** Delayed starts are spread over this fraction of a second, so that one burst does not directly follow another. */
const SPREAD = 0.8;

/** Returns the host and port of a URL, normalized so that all notations of the same host give the same text. */
export const hostAndPort = (text: string): string => {
  const url = new URL(text);
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return `${url.hostname.replace(/\.$/, '')}:${port}`;
};

type Limits = { perSecond: number; atOnce: number };

/**
 * Limits the attempts to one host: `perSecond` starts in any second, and `atOnce` running attempts. Waiting stores take
 * turns. A store may start another attempt only if the number of free slots is greater than the number of its running
 * attempts. The next store then finds a free slot.
 *
 * The budget keeps the times of recent starts. A single number per host (GCRA) could allow 20 attempts together, or at
 * most 20 in any second, but not both. The limits require both.
 */
export const createHostBudget = ({ perSecond, atOnce }: Limits, elapsed: Elapsed) => {
  const running = createCounts<bigint>();
  const waiting = new Set<bigint>();
  const refused = new Set<bigint>();
  let starts: { at: number }[] = [];
  let heldUpAt = Number.NEGATIVE_INFINITY;

  /** For 2 s after a delayed start, starts are spaced out. */
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

    /** Returns a function that sets the start to the current time, because a claim may delay the request. */
    begin(storeId: bigint): () => void {
      const start = { at: elapsed() };
      waiting.delete(storeId);
      starts.push(start);
      running.add(storeId, 1);
      return () => Object.assign(start, { at: elapsed() });
    },
    end: (storeId: bigint): void => running.add(storeId, -1),

    /** A single store may use at most half of the slots. */
    placesLeft: (storeId: bigint): number => atOnce / 2 - running.of(storeId),

    /**
     * Ends a pass over one store or all stores. Removes waiting stores that were not refused in the pass, because they
     * have nothing left to start. Returns whether any store is still waiting.
     */
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

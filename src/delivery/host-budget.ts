const SECOND_MS = 1000;
/** Rate window. Longer than a second, because requests take unequal times to arrive. */
const WINDOW_MS = 1.1 * SECOND_MS;
/** Queued starts are spread over this share of a second: a burst could arrive together with the next one. */
const SPREAD = 0.8;

/** Names the host and port of a URL, the same for all spellings. */
export const hostAndPort = (text: string): string => {
  const url = new URL(text);
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return `${url.hostname.replace(/\.$/, '')}:${port}`;
};

/** Counts running attempts, in total and per store. */
export const createOpenCounts = () => {
  const perStore = new Map<bigint, number>();
  let total = 0;
  return {
    total: (): number => total,
    inStore: (storeId: bigint): number => perStore.get(storeId) ?? 0,
    add(storeId: bigint, by: 1 | -1): void {
      total += by;
      const inStore = (perStore.get(storeId) ?? 0) + by;
      if (inStore > 0) perStore.set(storeId, inStore);
      else perStore.delete(storeId);
    },
  };
};

export type OpenCounts = ReturnType<typeof createOpenCounts>;

type Limits = { perSecond: number; atOnce: number };

/**
 * Limits the attempts to one host: `perSecond` starts in any second, `atOnce` running. Waiting stores take turns. A
 * store may run as many attempts as it leaves free, so that the next store finds room.
 *
 * The budget keeps the times of recent starts. One number per host (GCRA) could either start 20 attempts together or
 * keep every second at 20; the limits promise both.
 */
export const createHostBudget = ({ perSecond, atOnce }: Limits, stopwatch: () => number) => {
  const open = createOpenCounts();
  /** Waiting stores in turn order, each with the last look that held it up. */
  const waiting = new Map<bigint, number>();
  let starts: number[] = [];
  let heldUpAt = Number.NEGATIVE_INFINITY;

  /** Milliseconds until the rate allows a start. After a recent queue, starts are spaced out. */
  const rateWaitMs = (): number => {
    const now = stopwatch();
    starts = starts.filter((at) => now - at < WINDOW_MS);
    const [oldest, latest] = [starts.at(0), starts.at(-1)];
    if (oldest === undefined || latest === undefined) return 0;
    const fitsMs = starts.length < perSecond ? 0 : oldest + WINDOW_MS - now;
    const apartMs = now - heldUpAt < 2 * SECOND_MS ? latest + (SPREAD * SECOND_MS) / perSecond - now : 0;
    return Math.max(0, fitsMs, apartMs);
  };

  const hasPlaceFor = (storeId: bigint): boolean => {
    const free = atOnce - open.total();
    const inStore = open.inStore(storeId);
    return free > 0 && (inStore === 0 || inStore < free);
  };

  const nextStore = (): bigint | undefined => waiting.keys().find(hasPlaceFor);

  return {
    /** Whether the store may start an attempt now; if not, the store is queued. */
    ask(storeId: bigint, look: number): boolean {
      const isInRate = rateWaitMs() === 0;
      if (!isInRate) heldUpAt = stopwatch();
      const isItsTurn = (nextStore() ?? storeId) === storeId;
      if (isInRate && isItsTurn && hasPlaceFor(storeId)) return true;
      waiting.set(storeId, look);
      return false;
    },

    begin(storeId: bigint): void {
      waiting.delete(storeId);
      starts.push(stopwatch());
      open.add(storeId, 1);
    },
    end: (storeId: bigint): void => open.add(storeId, -1),

    /** Places a store has left, of the half that a lone store may use. */
    leftTo: (storeId: bigint): number => atOnce / 2 - open.inStore(storeId),

    /** Drops stores that this look did not hold up: they have nothing to start. Returns whether any store waits. */
    endLook(storeId: bigint | undefined, look: number): boolean {
      for (const [waiter, heldUpBy] of waiting) {
        if (heldUpBy < look && (storeId === undefined || waiter === storeId)) waiting.delete(waiter);
      }
      return waiting.size > 0;
    },

    /** Returns the next store and its wait; undefined if no store waits, or all wait for an attempt to end. */
    next(): { storeId: bigint; inMs: number } | undefined {
      const storeId = nextStore();
      return storeId === undefined ? undefined : { storeId, inMs: rateWaitMs() };
    },

    isIdle: (): boolean =>
      open.total() === 0 && waiting.size === 0 && starts.every((at) => stopwatch() - at >= WINDOW_MS),
  };
};

export type HostBudget = ReturnType<typeof createHostBudget>;

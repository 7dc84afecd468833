const SECOND_MS = 1000;
/** What begins in a second may take unequal times to arrive: it is counted for a little longer. */
const WINDOW_MS = 1.1 * SECOND_MS;
/** Over so much of each second a queue is spread: what is sent in one burst may arrive together with the next. */
const SPREAD = 0.8;

/** So many starts in any second, and apart from one another where somebody was held up for the sake of the rate. */
const createRate = (perSecond: number, stopwatch: () => number) => {
  const spacingMs = (SPREAD * SECOND_MS) / perSecond;
  let starts: number[] = [];
  let heldUpAt = Number.NEGATIVE_INFINITY;

  const recentStarts = (now: number): readonly number[] => {
    starts = starts.filter((at) => now - at < WINDOW_MS);
    return starts;
  };

  /** How long until one more may start. */
  const waitMs = (): number => {
    const now = stopwatch();
    const recent = recentStarts(now);
    const [oldest, latest] = [recent.at(0), recent.at(-1)];
    if (oldest === undefined || latest === undefined) return 0;
    const fitsMs = recent.length < perSecond ? 0 : oldest + WINDOW_MS - now;
    const apartMs = now - heldUpAt < 2 * SECOND_MS ? latest + spacingMs - now : 0;
    return Math.max(0, fitsMs, apartMs);
  };

  return {
    waitMs,
    isIdle: (): boolean => recentStarts(stopwatch()).length === 0,
    begin: (): void => void starts.push(stopwatch()),
    /** Whether one may start now, for somebody who is held up if not. */
    ask(): boolean {
      const mayStart = waitMs() === 0;
      if (!mayStart) heldUpAt = stopwatch();
      return mayStart;
    },
  };
};

type Limits = { perSecond: number; atOnce: number };

/**
 * A rate and so many places, shared by stores that take turns. A store may have as many under way as it leaves free, so that
 * the next one finds room beside it.
 */
export const createLane = ({ perSecond, atOnce }: Limits, stopwatch: () => number) => {
  const rate = createRate(perSecond, stopwatch);
  const openInStore = new Map<bigint, number>();
  let open = 0;
  /** The stores that were held up, in the order of their turns, and the look that held them up last. */
  const waiting = new Map<bigint, number>();

  const hasPlaceFor = (storeId: bigint): boolean => {
    const inStore = openInStore.get(storeId) ?? 0;
    return open < atOnce && (inStore === 0 || inStore < atOnce - open);
  };

  /** Whose turn it is, of those who wait and could start. */
  const nextStore = (): bigint | undefined => waiting.keys().find(hasPlaceFor);

  return {
    /** Whether the store may start one now; if not, it waits for its turn. */
    ask(storeId: bigint, look: number): boolean {
      const next = nextStore();
      const isItsTurn = next === undefined || next === storeId;
      if (rate.ask() && isItsTurn && hasPlaceFor(storeId)) return true;
      waiting.set(storeId, look);
      return false;
    },

    /** How many places the store has left of those that it may have if it is alone. */
    leftTo: (storeId: bigint): number => atOnce / 2 - (openInStore.get(storeId) ?? 0),

    /** Counts a start; returns how to say that it has ended. */
    begin(storeId: bigint) {
      waiting.delete(storeId);
      rate.begin();
      open += 1;
      openInStore.set(storeId, (openInStore.get(storeId) ?? 0) + 1);
      return (): void => {
        open -= 1;
        const left = (openInStore.get(storeId) ?? 0) - 1;
        if (left > 0) openInStore.set(storeId, left);
        else openInStore.delete(storeId);
      };
    },

    /** Who was not held up again by a look at it has nothing left to start, and keeps nobody waiting. */
    endLook(storeId: bigint | undefined, look: number): void {
      for (const [waiter, heldUpBy] of waiting) {
        if (heldUpBy < look && (storeId === undefined || waiter === storeId)) waiting.delete(waiter);
      }
    },

    /** Who comes next and in how many milliseconds; undefined if nobody waits or an end has to come first. */
    next(): { storeId: bigint; inMs: number } | undefined {
      const storeId = nextStore();
      return storeId === undefined ? undefined : { storeId, inMs: rate.waitMs() };
    },

    isContended: (): boolean => waiting.size > 0,
    /** Whether nothing of it has to be remembered. */
    isIdle: (): boolean => open === 0 && waiting.size === 0 && rate.isIdle(),
  };
};

export type Lane = ReturnType<typeof createLane>;

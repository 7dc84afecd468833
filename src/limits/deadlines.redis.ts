/** Patience is counted in these. */
const TICKS = 5;
/**
 * A tick that takes so many times its length tells that this process is busy, and nothing of who is to answer: the answer
 * may have come, and nobody had the time to look. The count begins again, but not without end.
 */
const HELD_UP = 2;
const MOST_HELD_UP = 10;

type Watch = { left: number; heldUp: number; isOver: boolean; onLate(): void };

/** Calls that must be answered within the same time, with one timer for all of them. */
export const createDeadlines = (patienceMs: number) => {
  const tickMs = patienceMs / TICKS;
  let watches: Watch[] = [];
  let isTicking = false;

  const tickLater = (): void => {
    const due = performance.now() + HELD_UP * tickMs;
    setTimeout(() => tick(performance.now() > due), tickMs);
  };

  const tick = (isHeldUp: boolean): void => {
    const late: Watch[] = [];
    watches = watches.filter((watch) => {
      if (watch.isOver) return false;
      watch.heldUp += isHeldUp ? 1 : 0;
      watch.left = isHeldUp && watch.heldUp <= MOST_HELD_UP ? TICKS : watch.left - 1;
      if (watch.left > 0) return true;
      watch.isOver = true;
      late.push(watch);
      return false;
    });
    isTicking = watches.length > 0;
    if (isTicking) tickLater();
    for (const { onLate } of late) onLate();
  };

  return {
    /** Calls `onLate` when the time is up, unless told before that it is over. Returns how to tell. */
    watch(onLate: () => void): () => void {
      const watch: Watch = { left: TICKS, heldUp: 0, isOver: false, onLate };
      watches.push(watch);
      if (!isTicking) tickLater();
      isTicking = true;
      return () => {
        watch.isOver = true;
      };
    },
  };
};

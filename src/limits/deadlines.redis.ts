/** Patience is counted in these: a process that was itself held up for long has used up one of them, not all. */
const TICKS = 5;

type Watch = { left: number; isOver: boolean; onLate(): void };

/** Calls that must be answered within the same time, with one timer for all of them. */
export const createDeadlines = (patienceMs: number) => {
  let watches: Watch[] = [];
  let isTicking = false;

  const tick = (): void => {
    const late: Watch[] = [];
    watches = watches.filter((watch) => {
      if (watch.isOver) return false;
      watch.left -= 1;
      if (watch.left > 0) return true;
      watch.isOver = true;
      late.push(watch);
      return false;
    });
    isTicking = watches.length > 0;
    if (isTicking) setTimeout(tick, patienceMs / TICKS);
    for (const { onLate } of late) onLate();
  };

  return {
    /** Calls `onLate` when the time is up, unless told before that it is over. Returns how to tell. */
    watch(onLate: () => void): () => void {
      const watch: Watch = { left: TICKS, isOver: false, onLate };
      watches.push(watch);
      if (!isTicking) setTimeout(tick, patienceMs / TICKS);
      isTicking = true;
      return () => {
        watch.isOver = true;
      };
    },
  };
};

type Deps = {
  /** How many transactions wait for their commit, and for how long the first of them has. */
  waiting(): number;
  waitedMs(): number;
  mostWaiting: number;
  /** The time in milliseconds, by a clock that is never set back. */
  elapsed(): number;
  /** Calls back when the event loop has come round. */
  nextTurn(callback: () => void): void;
};

/** Fewer writes than this do not make an overload: if they wait, the disk is slow or the processor is elsewhere. */
const MANY_WRITES = 512;

/** A burst of fewer requests than this is served to its end, although the last of it may wait longer. */
const MANY_REQUESTS = 4000;

/** Half of what those who are let in may have to wait: the other half is for what is under way. */
const LONGEST_MS = 50;

/**
 * Whether more is asked for than can be served in good time: many writes of which the first has waited too long, or a
 * turn of the event loop with many requests that has been going on for too long. To count the requests under way would
 * not do: each runs to its first wait before the next is looked at.
 */
export const createOverload = ({ waiting, waitedMs, mostWaiting, elapsed, nextTurn }: Deps) => {
  let turnBeganAt = 0;
  let inThisTurn = 0;
  const endTurn = (): void => {
    inThisTurn = 0;
  };

  return (): boolean => {
    inThisTurn += 1;
    if (inThisTurn === 1) {
      turnBeganAt = elapsed();
      nextTurn(endTurn);
    }
    if (inThisTurn > MANY_REQUESTS && elapsed() - turnBeganAt > LONGEST_MS) return true;
    const count = waiting();
    return count >= mostWaiting || (count >= MANY_WRITES && waitedMs() > LONGEST_MS);
  };
};

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

/** Fewer writers than fit into one commit are not many, however slow the disk is. */
const MANY = 256;

/** Half of what those who are let in may have to wait: the other half is for what is under way. */
const LONGEST_MS = 50;

/**
 * Whether more is asked for than can be served in good time: writes that have waited too long, or a turn of the event
 * loop that has been going on for too long. Counting requests would not do: each runs to its first wait before the next
 * is looked at, so that there is never more than one.
 */
export const createOverload = ({ waiting, waitedMs, mostWaiting, elapsed, nextTurn }: Deps) => {
  let turnBeganAt: number | undefined;
  const endTurn = (): void => {
    turnBeganAt = undefined;
  };

  return (): boolean => {
    const now = elapsed();
    if (turnBeganAt === undefined) {
      turnBeganAt = now;
      nextTurn(endTurn);
    }
    if (now - turnBeganAt > LONGEST_MS) return true;
    const count = waiting();
    return count >= mostWaiting || (count >= MANY && waitedMs() > LONGEST_MS);
  };
};

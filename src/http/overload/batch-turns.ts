import { createFairQueue } from './fair-queue.ts';

/** A batch works this long before others are served. Its longest step takes 0.8 ms more. */
const SLICE_MS = 0.5;

/** The turns of one batch. */
export type Turns = {
  /** Does the work, with a pause wherever it yields and the turn is over. */
  finish<Result>(work: Iterator<void, Result>): Promise<Result>;
  /** Waits for the next turn. */
  next(): Promise<void>;
};

/**
 * In each turn of the event loop one batch continues, however many there are. The callers take turns, so that one with
 * many batches does not delay the batch of another.
 */
export const createTurns = (elapsed = () => performance.now(), soon: (run: () => void) => void = setImmediate) => {
  const waiting = createFairQueue<() => void>();
  const comeRound = (): void => {
    waiting.next()?.();
    if (waiting.size() > 0) soon(comeRound);
  };

  return (caller: string): Turns => {
    let endsAt = Number.NEGATIVE_INFINITY;
    const next = (): Promise<void> =>
      new Promise((resolve) => {
        const begin = (): void => {
          endsAt = elapsed() + SLICE_MS;
          resolve();
        };
        waiting.add(caller, begin, 0);
        if (waiting.size() === 1) soon(comeRound);
      });
    return {
      next,
      async finish(work) {
        for (;;) {
          if (elapsed() >= endsAt) await next();
          const { done, value } = work.next();
          if (done) return value;
        }
      },
    };
  };
};

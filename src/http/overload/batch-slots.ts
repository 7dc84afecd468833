import type { MAX_BATCHES } from '../../kernel/contract.ts';
import { createCounts } from '../../kernel/counts.ts';
import { Failure } from '../../kernel/failure.ts';
import type { MaybePromise } from '../../kernel/runtime.ts';
import { createFairQueue } from './fair-queue.ts';

const refuse = (message: string): never => {
  throw new Failure('unavailable', message, { retryAfterSeconds: 1 });
};

export const createBatchSlots = ({ each, all }: typeof MAX_BATCHES) => {
  const underway = createCounts<string>();
  return async <Result>(caller: string, serve: () => MaybePromise<Result>): Promise<Result> => {
    if (underway.of(caller) >= each) refuse(`Send at most ${each} batches at a time. Try again in 1 second.`);
    if (underway.total() >= all) refuse('Too many batches are in progress. Try again in 1 second.');
    underway.add(caller, 1);
    try {
      return await serve();
    } finally {
      underway.add(caller, -1);
    }
  };
};

/** After this many ms, a batch finishes its current step (at most 0.8 ms more), and then lets other requests run. */
const SLICE_MS = 0.5;

/** In each turn of the event loop, only one batch runs. Callers take turns, so that no caller can block the others. */
export const createTimeSlices = (elapsed = () => performance.now(), soon: (run: () => void) => void = setImmediate) => {
  const waiting = createFairQueue<() => void>();
  const serveNext = (): void => {
    waiting.next()?.();
    if (waiting.size() > 0) soon(serveNext);
  };

  return (caller: string) => {
    let endsAt = Number.NEGATIVE_INFINITY;
    const next = (): Promise<void> =>
      new Promise((resolve) => {
        const begin = (): void => {
          endsAt = elapsed() + SLICE_MS;
          resolve();
        };
        waiting.add(caller, begin, 0);
        if (waiting.size() === 1) soon(serveNext);
      });
    return {
      next,
      async finish<Result>(work: Iterator<void, Result>): Promise<Result> {
        for (;;) {
          if (elapsed() >= endsAt) await next();
          const { done, value } = work.next();
          if (done) return value;
        }
      },
    };
  };
};

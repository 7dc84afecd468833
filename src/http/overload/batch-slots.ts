import { Failure } from '../../kernel/failure.ts';
import type { MaybePromise } from '../../kernel/runtime.ts';
import { createFairQueue } from './fair-queue.ts';

type Slots = { each: number; all: number };

const refuse = (message: string): never => {
  throw new Failure('unavailable', message, { retryAfterSeconds: 1 });
};

export const createBatchSlots = ({ each, all }: Slots) => {
  const underway = new Map<string, number>();
  let taken = 0;
  return async <Result>(caller: string, serve: () => MaybePromise<Result>): Promise<Result> => {
    const own = underway.get(caller) ?? 0;
    if (own >= each) refuse(`Send at most ${each} batches at a time. Try again in 1 second.`);
    if (taken >= all) refuse('Too many batches are in progress. Try again in 1 second.');
    taken += 1;
    underway.set(caller, own + 1);
    try {
      return await serve();
    } finally {
      taken -= 1;
      const left = (underway.get(caller) ?? 1) - 1;
      if (left === 0) underway.delete(caller);
      else underway.set(caller, left);
    }
  };
};

/** A batch pauses after this many ms, so that other requests can run. A step that has begun may run 0.8 ms longer. */
const SLICE_MS = 0.5;

export type TimeSlices = { finish<Result>(work: Iterator<void, Result>): Promise<Result>; next(): Promise<void> };

/** In each turn of the event loop, only one batch runs. Callers take turns, so that no caller can block the others. */
export const createTimeSlices = (elapsed = () => performance.now(), soon: (run: () => void) => void = setImmediate) => {
  const waiting = createFairQueue<() => void>();
  const serveNext = (): void => {
    waiting.next()?.();
    if (waiting.size() > 0) soon(serveNext);
  };

  return (caller: string): TimeSlices => {
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

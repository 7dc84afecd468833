import { Failure } from '../../kernel/failure.ts';
import type { MaybePromise } from '../../kernel/maybe-promise.ts';

/** How many are served at once: of one caller, and of all. */
type Places = { each: number; all: number };

const refuse = (message: string): never => {
  throw new Failure('unavailable', message, { retryAfterSeconds: 1 });
};

/** Serves so many at once, whatever each of them keeps in memory, and refuses the rest. No caller can take all places. */
export const createBatchSlots = ({ each, all }: Places) => {
  const underway = new Map<string, number>();
  let taken = 0;
  return async <Result>(caller: string, serve: () => MaybePromise<Result>): Promise<Result> => {
    const own = underway.get(caller) ?? 0;
    if (own >= each) refuse(`Send at most ${each} batches at a time. Try again in 1 second.`);
    if (taken >= all) refuse('Too many batches are being served. Try again in 1 second.');
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

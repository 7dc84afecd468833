import { Failure } from '../kernel/failure.ts';

const inProgress = () =>
  new Failure(
    'idempotency_in_progress',
    'The first request with this Idempotency-Key is still running. Retry when it has finished.',
    { faults: [{ header: 'Idempotency-Key', detail: 'belongs to a request that is still running' }] },
  );

/**
 * Runs requests with the same idempotency key one at a time. While an earlier request does new work, a later one is
 * refused, because there is no answer to replay yet. While the earlier one only replays an answer, the later one waits.
 */
export const createInFlight = () => {
  /** Resolves to true when the running request begins new work, or to false if it only replays an answer. */
  const underWay = new Map<string, Promise<boolean>>();

  return {
    /** `run` must call `begin` before it does new work. */
    async run<Result>(name: string, run: (begin: () => void) => Promise<Result>): Promise<Result> {
      for (let before = underWay.get(name); before; before = underWay.get(name)) {
        if (await before) throw inProgress();
      }
      const { promise, resolve } = Promise.withResolvers<boolean>();
      underWay.set(name, promise);
      try {
        return await run(() => resolve(true));
      } finally {
        underWay.delete(name);
        resolve(false);
      }
    },
  };
};

import { Failure } from '../kernel/failure.ts';

const inProgress = () =>
  new Failure(
    'idempotency_in_progress',
    'The first request with this Idempotency-Key is still running. Retry when it has finished.',
    { faults: [{ header: 'Idempotency-Key', detail: 'belongs to a request that is still running' }] },
  );

/**
 * Runs requests with the same name one at a time. A request is refused while an earlier one does new work, because
 * there is no answer to replay yet. It waits while an earlier one only replays an answer.
 */
export const createInFlight = () => {
  /** True once the running request begins new work, or false if it only replayed an answer. */
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

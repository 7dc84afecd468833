import { Failure } from '../kernel/failure.ts';

const inProgress = () =>
  new Failure(
    'idempotency_in_progress',
    'The first request with this Idempotency-Key is still running. Retry when it has finished.',
    { faults: [{ header: 'Idempotency-Key', detail: 'belongs to a request that is still running' }] },
  );

/**
 * Requests with the same idempotency key run one at a time. If the first request is actually being processed, the
 * second is refused, because there is no answer to replay yet. If the first request only replays a stored answer, the
 * second waits for it.
 */
export const createInFlight = () => {
  /** Each promise resolves to true if its request was processed, and to false if it only got a stored answer. */
  const underWay = new Map<string, Promise<boolean>>();

  /** The callback `run` must call `begin` before it processes the request. */
  return async <Result>(name: string, run: (begin: () => void) => Promise<Result>): Promise<Result> => {
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
  };
};

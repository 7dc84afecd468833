import { faulty } from '../kernel/failure.ts';

export const inProgress = () =>
  faulty('idempotency_in_progress', {
    header: 'Idempotency-Key',
    detail: 'the first request with it is still running',
  });

/**
 * Lets requests of one name take turns. Of two that come together the second is refused: the answer of the first is not
 * known yet. A request that replays an old answer blocks nobody.
 */
export const createInFlight = () => {
  /** For each name under way, resolves with whether it does something new. */
  const underWay = new Map<string, Promise<boolean>>();

  return {
    /** `run` has to call `begin` before it does anything new. */
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

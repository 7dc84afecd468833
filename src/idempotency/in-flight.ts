import { faulty } from '../kernel/failure.ts';

export const inProgress = () =>
  faulty('idempotency_in_progress', {
    header: 'Idempotency-Key',
    detail: 'the first request with it is still running',
  });

/**
 * Requests of one name take turns. Of two that come together the second is refused, because it cannot know yet what the
 * first will be answered; but one that turns out to be given an old answer again stands in nobody's way.
 */
export const createInFlight = () => {
  /** For each name under way, whether it has begun to do something new. */
  const underWay = new Map<string, Promise<boolean>>();

  return {
    /** Runs `run`, which has to call `begin` before it does anything new. */
    async run<Result>(name: string, run: (begin: () => void) => Promise<Result>): Promise<Result> {
      for (let before = underWay.get(name); before; before = underWay.get(name)) {
        if (await before) {
          throw inProgress();
        }
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

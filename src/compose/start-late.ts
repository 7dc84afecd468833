import type { Dispatcher } from '../webhooks/dispatcher.memory.ts';

/**
 * The dispatcher, made when there may be something to send: no start waits until all that it needs is loaded. If it
 * cannot be made, that is told, and the next who wakes it tries again: what is due stays due.
 */
export const startLate = (make: () => Promise<Dispatcher>, failed: (error: unknown) => void): Dispatcher => {
  let made: Dispatcher | undefined;
  let making: Promise<Dispatcher | undefined> | undefined;
  const begin = async (): Promise<Dispatcher | undefined> => {
    try {
      made = await make();
    } catch (error) {
      making = undefined;
      failed(error);
    }
    return made;
  };
  return {
    wake(storeId) {
      if (made) return made.wake(storeId);
      making ??= begin();
      void making.then((dispatcher) => dispatcher?.wake(storeId));
    },
    stop: async () => (await making)?.stop(),
  };
};

type Waiter = { resolve(): void; reject(error: unknown): void };

type Deps = {
  /** Maximum number of requests that wait for one row, so that the instance still has room for other requests. */
  most: number;
  waitMs: number;
  refusal(reason: string): unknown;
  /** Returns true if all waiting work would fail with the same error, for example while the server is down. */
  concernsAll(error: unknown): boolean;
};

export const createRowQueues = ({ most, waitMs, refusal, concernsAll }: Deps) => {
  const queues = new Map<string, Set<Waiter>>();

  const waitIn = (queue: Set<Waiter>): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter: Waiter = { resolve, reject };
    queue.add(waiter);
    const timer = setTimeout(() => {
      queue.delete(waiter);
      reject(refusal(`waited ${waitMs} ms for earlier transactions on the same row`));
    }, waitMs);
    return promise.finally(() => clearTimeout(timer));
  };

  const acquire = async (row: string): Promise<void> => {
    const queue = queues.get(row);
    if (queue && queue.size >= most) throw refusal(`${most} transactions are already waiting for the same row`);
    if (queue) return waitIn(queue);
    queues.set(row, new Set());
  };

  const release = (row: string): void => {
    const queue = queues.get(row) as Set<Waiter>;
    const [next] = queue;
    if (!next) {
      queues.delete(row);
      return;
    }
    queue.delete(next);
    next.resolve();
  };

  const refuseAll = (row: string, error: unknown): void => {
    const queue = queues.get(row) as Set<Waiter>;
    for (const { reject } of queue) reject(error);
    queue.clear();
  };

  return {
    async run<Result>(row: string, work: () => Promise<Result>): Promise<Result> {
      await acquire(row);
      try {
        return await work();
      } catch (error) {
        // Without this, each waiting transaction would wait for a connection and fail separately.
        if (concernsAll(error)) refuseAll(row, error);
        throw error;
      } finally {
        release(row);
      }
    },

    size: () => queues.size,
  };
};

type Waiter = { resolve(): void; reject(error: unknown): void };

type Deps = {
  /** So many wait for one row: it must not fill the instance. */
  most: number;
  /** So long each of them waits for those before it. */
  waitMs: number;
  /** What those are told who are beyond that. */
  refusal(reason: string): unknown;
  /** Whether a failure awaits everyone who wants the row. */
  concernsAll(error: unknown): boolean;
};

/** Work for one row is done one after another, in the order in which it came; work for other rows is not held up. */
export const createRowQueues = ({ most, waitMs, refusal, concernsAll }: Deps) => {
  /** Those who wait, for each row that somebody works on. */
  const queues = new Map<string, Set<Waiter>>();

  const waitIn = (queue: Set<Waiter>): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter: Waiter = { resolve, reject };
    queue.add(waiter);
    const timer = setTimeout(() => {
      queue.delete(waiter);
      reject(refusal(`those before it took ${waitMs} ms`));
    }, waitMs);
    return promise.finally(() => clearTimeout(timer));
  };

  const acquire = async (row: string): Promise<void> => {
    const queue = queues.get(row);
    if (queue && queue.size >= most) throw refusal(`${most} others wait for the same row`);
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
        // Each of them would find out for itself, one after another.
        if (concernsAll(error)) refuseAll(row, error);
        throw error;
      } finally {
        release(row);
      }
    },

    /** How many rows somebody works on. */
    size: () => queues.size,
  };
};

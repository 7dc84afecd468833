import { isUnavailable, unavailable } from './connection.ts';

type Waiter<Value> = { resolve(value: Value): void; reject(error: unknown): void; since: number };

/** `late` is the error message for callers that waited longer than `waitMs`. */
export const createWaiters = <Value>(waitMs: number, late: string) => {
  const waiting = new Set<Waiter<Value>>();
  return {
    count: () => waiting.size,
    waitedMs: (): number => {
      const [first] = waiting;
      return first ? performance.now() - first.since : 0;
    },
    add(): Promise<Value> {
      const { promise, resolve, reject } = Promise.withResolvers<Value>();
      const waiter = { resolve, reject, since: performance.now() };
      waiting.add(waiter);
      const timer = setTimeout(() => {
        waiting.delete(waiter);
        reject(unavailable(new Error(late)));
      }, waitMs);
      return promise.finally(() => clearTimeout(timer));
    },
    resolveFirst(value: Value): boolean {
      const [first] = waiting;
      first?.resolve(value);
      return first !== undefined && waiting.delete(first);
    },
    rejectAll(error: unknown): void {
      for (const { reject } of waiting) reject(error);
      waiting.clear();
    },
  };
};

export const createRowQueues = (most: number, waitMs: number) => {
  const newQueue = () => createWaiters<void>(waitMs, `waited ${waitMs} ms for earlier transactions on the same row`);
  const queues = new Map<string, ReturnType<typeof newQueue>>();

  return {
    async run<Result>(row: string, work: () => Promise<Result>): Promise<Result> {
      const queue = queues.get(row) ?? newQueue();
      if (queue.count() >= most)
        throw unavailable(new Error(`${most} transactions are already waiting for the same row`));
      if (queues.has(row)) await queue.add();
      else queues.set(row, queue);
      try {
        return await work();
      } catch (error) {
        // Rejects all queued transactions. Otherwise, each of them would wait for a connection and then fail.
        if (isUnavailable(error)) queue.rejectAll(error);
        throw error;
      } finally {
        if (!queue.resolveFirst()) queues.delete(row);
      }
    },

    size: () => queues.size,
  };
};

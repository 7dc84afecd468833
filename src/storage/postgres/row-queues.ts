import { createWaiters } from './waiters.ts';

type Deps = {
  /** Maximum number of requests that wait for one row, so that the instance still has room for other requests. */
  most: number;
  waitMs: number;
  refusal(reason: string): unknown;
  /** Returns true if all waiting work would fail with the same error, for example while the server is down. */
  concernsAll(error: unknown): boolean;
};

export const createRowQueues = ({ most, waitMs, refusal, concernsAll }: Deps) => {
  const late = () => refusal(`waited ${waitMs} ms for earlier transactions on the same row`);
  const newQueue = () => createWaiters<void>(waitMs, late);
  const queues = new Map<string, ReturnType<typeof newQueue>>();

  return {
    async run<Result>(row: string, work: () => Promise<Result>): Promise<Result> {
      const queue = queues.get(row) ?? newQueue();
      if (queue.count() >= most) throw refusal(`${most} transactions are already waiting for the same row`);
      if (queues.has(row)) await queue.add();
      else queues.set(row, queue);
      try {
        return await work();
      } catch (error) {
        // Without this, each waiting transaction would wait for a connection and fail separately.
        if (concernsAll(error)) queue.rejectAll(error);
        throw error;
      } finally {
        if (!queue.resolveFirst()) queues.delete(row);
      }
    },

    size: () => queues.size,
  };
};

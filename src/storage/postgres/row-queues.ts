import { isUnavailable, unavailable } from './connection.ts';
import { createWaiters } from './waiters.ts';

export const createRowQueues = (most: number, waitMs: number) => {
  const newQueue = () => createWaiters<void>(waitMs, `waited ${waitMs} ms for earlier transactions on the same row`);
  const queues = new Map<string, ReturnType<typeof newQueue>>();

  return {
    async run<Result>(row: string, work: () => Promise<Result>): Promise<Result> {
      const queue = queues.get(row) ?? newQueue();
      if (queue.count() >= most) {
        throw unavailable(new Error(`${most} transactions are already waiting for the same row`));
      }
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

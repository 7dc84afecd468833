import { unavailable } from './connection.ts';

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

import type { MaybePromise } from '../../kernel/maybe-promise.ts';
import { LARGEST_GROUP } from './group-sync.ts';
import type { Group, Outcome, Transaction } from './group-transaction.ts';

/**
 * Transactions waiting for a group, and the number not answered yet. A long transaction is the first of its group and the
 * only long one, so that no short transaction waits for two long ones.
 */
export const createQueue = (elapsed: () => number) => {
  const short: Transaction[] = [];
  const long: Transaction[] = [];
  let isTurnOfLong = true;
  let pending = 0;
  let wake = (): void => undefined;

  return {
    add<Result>(body: () => MaybePromise<Result>, isLong: boolean): Promise<Result> {
      const { promise, resolve, reject } = Promise.withResolvers<Result>();
      pending += 1;
      const settle = (outcome: Outcome): void => {
        pending -= 1;
        if ('error' in outcome) reject(outcome.error);
        else resolve(outcome.value as Result);
      };
      (isLong ? long : short).push({ body, isLong, queuedAt: elapsed(), settle });
      wake();
      return promise;
    },

    moveInto(group: Group): void {
      const { transactions } = group;
      const isNew = transactions.length === 0;
      if (isNew && long[0] && (isTurnOfLong || short.length === 0)) {
        isTurnOfLong = false;
        transactions.push(...long.splice(0, 1));
        return;
      }
      if (isNew) isTurnOfLong = true;
      transactions.push(...short.splice(0, LARGEST_GROUP - transactions.length));
    },

    isEmpty: () => short.length === 0 && long.length === 0,
    first: () => short[0] ?? long[0],
    pending: () => pending,
    /** Resolves at the next `add` or `wake`. */
    arrival: (): Promise<void> => {
      const { promise, resolve } = Promise.withResolvers<void>();
      wake = resolve;
      return promise;
    },
    wake: () => wake(),
  };
};

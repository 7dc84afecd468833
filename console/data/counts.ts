import { hashKey, type QueryClient } from '@tanstack/react-query';
import type { PetStatus } from '../../client/src/index.ts';

export const COUNTS = ['inventory', 'counts'] as const;

export type Counts = Record<PetStatus, number>;

/** The number to add to the count for each status. It is negative if pets lose that status. */
export type CountChange = Partial<Counts>;

export const moveOne = (from: PetStatus, to: PetStatus): CountChange => ({ [from]: -1, [to]: 1 });

const addCounts = (queries: QueryClient, change: CountChange, times: 1 | -1): void => {
  queries.setQueryData<Counts>(COUNTS, (counts) => {
    if (!counts) return counts;
    const add = (status: PetStatus) => counts[status] + times * (change[status] ?? 0);
    return { available: add('available'), pending: add('pending'), sold: add('sold') };
  });
};

/**
 * Applies a change to the cached counts before the service has confirmed it. Each fetch replaces the cached counts with
 * the service's counts, so the change is then applied again.
 */
export const keepCounted = (queries: QueryClient, change: CountChange) => {
  addCounts(queries, change, 1);
  const hash = hashKey(COUNTS);
  const stop = queries.getQueryCache().subscribe((event) => {
    const isRead = event.type === 'updated' && event.action.type === 'success' && !event.action.manual;
    if (isRead && event.query.queryHash === hash) addCounts(queries, change, 1);
  });
  return { stop, revert: () => addCounts(queries, change, -1) };
};

import type { QueryClient, QueryKey } from '@tanstack/react-query';

/**
 * Calls `act` now, and again after each fetch that is already running, because the result of such a fetch may be older
 * than the change that `act` makes.
 */
export const nowAndWhenRead = (queries: QueryClient, queryKey: QueryKey, act: () => void): void => {
  act();
  for (const query of queries.getQueryCache().findAll({ queryKey, fetchStatus: 'fetching' })) {
    // `fetch` returns the promise of the request that is already running.
    query.fetch().then(act, () => undefined);
  }
};

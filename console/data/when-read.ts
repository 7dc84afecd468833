import type { QueryClient, QueryKey } from '@tanstack/react-query';

/**
 * Calls `act` again after each fetch that is already running, because such a fetch may return data from before the
 * change that `act` makes.
 */
export const nowAndWhenRead = (queries: QueryClient, queryKey: QueryKey, act: () => void): void => {
  act();
  for (const query of queries.getQueryCache().findAll({ queryKey, fetchStatus: 'fetching' })) {
    query.fetch().then(act, () => undefined);
  }
};

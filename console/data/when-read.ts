import type { QueryClient, QueryKey } from '@tanstack/react-query';

/** Calls `act` now, and again after each fetch that is already running, because that fetch may return older data. */
export const nowAndWhenRead = (queries: QueryClient, queryKey: QueryKey, act: () => void): void => {
  act();
  for (const query of queries.getQueryCache().findAll({ queryKey, fetchStatus: 'fetching' })) {
    query.fetch().then(act, () => undefined);
  }
};

import type { QueryClient, QueryKey } from '@tanstack/react-query';

/** A fetch that is already running may return older data, so `act` runs again after it. */
export const nowAndWhenRead = (queries: QueryClient, queryKey: QueryKey, act: () => void): void => {
  act();
  for (const query of queries.getQueryCache().findAll({ queryKey, fetchStatus: 'fetching' })) {
    query.fetch().then(act, () => undefined);
  }
};

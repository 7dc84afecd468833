import type { QueryClient, QueryKey } from '@tanstack/react-query';

/** Calls `act` now, and again after each running fetch, whose result may be older than this change. */
export const nowAndWhenRead = (queries: QueryClient, queryKey: QueryKey, act: () => void): void => {
  act();
  for (const query of queries.getQueryCache().findAll({ queryKey, fetchStatus: 'fetching' })) {
    // `fetch` joins the running request.
    query.fetch().then(act, () => undefined);
  }
};

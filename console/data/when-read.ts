import type { QueryClient, QueryKey } from '@tanstack/react-query';

/** Acts at once, and again on what is just being read when it has come: it may be from before. */
export const nowAndWhenRead = (queries: QueryClient, queryKey: QueryKey, act: () => void): void => {
  act();
  for (const query of queries.getQueryCache().findAll({ queryKey, fetchStatus: 'fetching' })) {
    // Asked while it is under way, it gives what is under way.
    query.fetch().then(act, () => undefined);
  }
};

import type { QueryClient, QueryKey } from '@tanstack/react-query';

/** A fetch that is already running may return older data, so `act` runs again when the fetch ends. */
export const nowAndWhenRead = (queries: QueryClient, queryKey: QueryKey, act: () => void): void => {
  act();
  for (const query of queries.getQueryCache().findAll({ queryKey, fetchStatus: 'fetching' })) {
    query.fetch().then(act, () => undefined);
  }
};

let isShowing = false;

/**
 * Shows a change that the service does not know yet: calls `show` now and after each update of the cache, because reads
 * and live events still contain the old state. Returns a function that ends this.
 */
export const keepShown = (queries: QueryClient, show: () => void): (() => void) => {
  const showNow = () => {
    isShowing = true;
    try {
      show();
    } finally {
      isShowing = false;
    }
  };
  showNow();
  return queries.getQueryCache().subscribe((event) => {
    // `show` itself updates the cache, so it would call itself without end.
    if (!isShowing && event.type === 'updated' && event.action.type === 'success') showNow();
  });
};

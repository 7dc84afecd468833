import type { QueryClient, QueryKey } from '@tanstack/react-query';

/** A running fetch may overwrite the result of `act` with older data, so `act` runs again when the fetch ends. */
export const nowAndWhenRead = (queries: QueryClient, queryKey: QueryKey, act: () => void): void => {
  act();
  for (const query of queries.getQueryCache().findAll({ queryKey, fetchStatus: 'fetching' })) {
    query.fetch().then(act, () => undefined);
  }
};

let isShowing = false;

/**
 * Shows a change that has not reached the service yet. Calls `show` now and after each update of the cache, because
 * responses and live events still contain the old state. Returns a function that stops the calls.
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
    // `show` itself updates the cache. Without this check, `show` would be called endlessly.
    if (!isShowing && event.type === 'updated' && event.action.type === 'success') showNow();
  });
};

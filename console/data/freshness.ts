import type { QueryClient } from '@tanstack/react-query';
import type { Session } from '../session/session.ts';
import { liveState } from './live.ts';
import { createValue, useValue } from './value.ts';

const EVERY_MS = 10_000;
const DAY_MS = 86_400_000;

/**
 * Maximum number of pages to refresh automatically, because each page costs a request. Longer lists keep their rows,
 * and "Updated" shows how old the rows are.
 */
const MAX_PAGES = 5;

/** The results of these queries change only when an event occurs. Without a new event, they need no refresh. */
const COUNTED: readonly unknown[] = ['pets', 'orders', 'inventory', 'categories', 'counts'];

/** Time of the last check for changes. Checks run only while the console receives no live events. */
const checkedAt = createValue(0);

const pagesOf = (data: unknown): number =>
  typeof data === 'object' && data !== null && 'pages' in data ? (data.pages as unknown[]).length : 1;

/**
 * Checks for changes every 10 s while the tab is visible and receives no live events. Returns a function that stops the
 * checks.
 */
export const pollChanges = ({ petstore, can }: Session, queries: QueryClient): (() => void) => {
  const ended = new AbortController();
  const from = new Date(Date.now() - DAY_MS).toISOString();
  let total: number | undefined;
  let isChecking = false;
  const countEvents = async (): Promise<number | undefined> =>
    can('pets:read') ? (await petstore.events.count({ from, by: 'day' }, { signal: ended.signal })).total : undefined;
  const check = async (): Promise<void> => {
    if (isChecking || document.visibilityState !== 'visible' || liveState.get() === 'live') return;
    isChecking = true;
    try {
      const counted = await countEvents();
      const isSame = counted !== undefined && counted === total;
      total = counted;
      await queries.invalidateQueries({
        predicate: ({ queryKey, state }) =>
          pagesOf(state.data) <= MAX_PAGES && !(isSame && COUNTED.includes(queryKey[0])),
      });
      checkedAt.set(Date.now());
    } catch {
      // The notice bar already reports a lost connection or a refused key. The next check tries again.
    } finally {
      isChecking = false;
    }
  };
  const now = () => void check();
  const timer = setInterval(now, EVERY_MS);
  document.addEventListener('visibilitychange', now);
  return () => {
    ended.abort();
    clearInterval(timer);
    document.removeEventListener('visibilitychange', now);
  };
};

/**
 * Returns the time to show in "Updated" for a list that live events keep current. While events arrive, the time is
 * infinite. Otherwise, it is the time of the last check. `at` is the `dataUpdatedAt` of the list's query.
 */
export const useFreshAt = (at: number, pages = 1): number => {
  const checked = useValue(checkedAt);
  if (useValue(liveState) === 'live' && at > 0) return Number.POSITIVE_INFINITY;
  return pages > MAX_PAGES || at === 0 ? at : Math.max(at, checked);
};

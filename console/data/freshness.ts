import type { QueryClient } from '@tanstack/react-query';
import type { Session } from '../session/session.ts';
import { liveState } from './live.ts';
import { isLost, notice } from './notices.ts';
import { createValue, useValue } from './value.ts';

const EVERY_MS = 10_000;
const DAY_MS = 86_400_000;

/** Lists with more pages than this are not refreshed by polling, because each page costs a request. */
const MAX_PAGES = 5;

/**
 * The results of these queries change only if an event occurs, so they are refreshed only if the number of events
 * changes.
 */
const COUNTED: readonly unknown[] = ['pets', 'orders', 'inventory', 'categories', 'counts'];

const checkedAt = createValue(0);

const pagesOf = (data: unknown): number =>
  typeof data === 'object' && data !== null && 'pages' in data ? (data.pages as unknown[]).length : 1;

/** Checks for changes every 10 s while the tab is visible and is not receiving live events. */
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
      if (!isLost()) checkedAt.set(Date.now());
    } catch {
      // Errors are ignored here, because the notice bar already reports a lost connection or a refused key.
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
 * Returns the time of the last update, for the "Updated" label. While live events are arriving, the data is always
 * current, so the result is infinity. While the connection is lost, the result is never later than the
 * time when the connection was lost.
 */
export const useFreshAt = (at: number, pages = 1): number => {
  const [checked, held] = [useValue(checkedAt), useValue(notice)];
  const isLive = useValue(liveState) === 'live' && at > 0;
  const known = pages > MAX_PAGES || at === 0 ? at : Math.max(at, checked);
  const latest = isLive ? Number.POSITIVE_INFINITY : known;
  // A failed request reveals a lost connection sooner than the event stream does.
  return held?.kind === 'lost' ? Math.min(latest, held.since) : latest;
};

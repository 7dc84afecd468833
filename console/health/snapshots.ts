import { useEffect } from 'react';
import { createValue, useValue } from '../data/value.ts';
import { ROOT_URL, useSession } from '../session/session.ts';
import type { Snapshot } from './figures.ts';
import { readMetrics } from './metrics-text.ts';
import { texts } from './texts.ts';

const REFRESH_MS = 5000;
/** Maximum number of snapshots. With one snapshot every 5 seconds, they cover 15 minutes. */
const MOST = 180;

/** These values are outside the component, so that the plots survive a visit to another page. */
const kept = createValue<readonly Snapshot[]>([]);
const failure = createValue<Error | undefined>(undefined);

/** `/metrics` is not an API operation, so the petstore client has no method for it. */
const look = async (secret: string, signal: AbortSignal): Promise<void> => {
  try {
    const answer = await fetch(`${ROOT_URL}/metrics`, { headers: { Authorization: `Bearer ${secret}` }, signal });
    if (!answer.ok) throw new Error(texts.unreadable(answer.status));
    const samples = readMetrics(await answer.text());
    kept.set([...kept.get(), { at: Date.now(), samples }].slice(-MOST));
    failure.set(undefined);
  } catch (error) {
    if (!signal.aborted) failure.set(error as Error);
  }
};

export const useSnapshots = () => {
  const { secret } = useSession();
  useEffect(() => {
    const ended = new AbortController();
    const refreshIfVisible = () => {
      if (document.visibilityState === 'visible') void look(secret, ended.signal);
    };
    refreshIfVisible();
    const timer = setInterval(refreshIfVisible, REFRESH_MS);
    return () => {
      clearInterval(timer);
      ended.abort();
    };
  }, [secret]);
  return { snapshots: useValue(kept), error: useValue(failure) };
};

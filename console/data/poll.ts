import { useEffect, useEffectEvent } from 'react';

/**
 * Calls `act` at intervals. Used for values that change without an event, such as the time when a key was last used.
 */
export const usePoll = (act: () => void, everyMs = 10_000): void => {
  const run = useEffectEvent(() => {
    if (document.visibilityState === 'visible') act();
  });
  useEffect(() => {
    const timer = setInterval(() => run(), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
};

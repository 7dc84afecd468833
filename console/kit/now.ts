import { useEffect, useState } from 'react';

/** The time, anew every so many milliseconds. */
export const useNow = (everyMs = 1000): number => {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
};

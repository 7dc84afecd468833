import { useEffect, useState } from 'react';
import { texts } from '../texts.ts';
import { MINUTE_MS, showInstant, showMinute, showRelative } from './relative-time.ts';

export const useNow = (everyMs = 1000): number => {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
};

/** With `isFull`, the date and time are shown next to the relative time. */
export const Time = ({ at, isFull = false }: { at: string | null; isFull?: boolean }) => {
  const [isNew, setNew] = useState(true);
  const now = useNow(isNew ? 1000 : MINUTE_MS / 6);
  const isRecent = at !== null && Math.abs(now - Date.parse(at)) < MINUTE_MS;
  if (isNew !== isRecent) setNew(isRecent);
  if (at === null) return <span className="soft">{texts.kit.never}</span>;
  return (
    <time dateTime={at} title={showInstant(at)}>
      {showRelative(Date.parse(at) - now)}
      {isFull && <span className="soft"> · {showMinute(at)}</span>}
    </time>
  );
};

export const showDuration = (ms: number): string => {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
};

/** `aria-live="off"` keeps screen readers from reading out the countdown every second. */
export const Countdown = ({ until }: { until: number | string }) => {
  const now = useNow();
  return (
    <span className="countdown" role="timer" aria-live="off">
      {showDuration(new Date(until).getTime() - now)}
    </span>
  );
};

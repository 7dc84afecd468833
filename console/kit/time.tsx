import { useEffect, useState } from 'react';
import { texts } from '../texts.ts';
import { plural } from './text.ts';

export const useNow = (everyMs = 1000): number => {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
};

const UNITS: [length: number, show: (count: number) => string][] = [
  [86_400_000, (count) => plural(count, 'day')],
  [3_600_000, (count) => `${count} h`],
  [60_000, (count) => `${count} min`],
  [1000, (count) => `${count} s`],
];

const showRelative = (ms: number): string => {
  const [length, show] = UNITS.find(([length]) => Math.abs(ms) >= length) ?? [];
  if (!length || !show) return texts.kit.now;
  const amount = show(Math.floor(Math.abs(ms) / length));
  return ms < 0 ? texts.kit.ago(amount) : texts.kit.fromNow(amount);
};

export const Time = ({ at }: { at: string | null }) => {
  const now = useNow(10_000);
  if (at === null) return <span className="soft">{texts.kit.never}</span>;
  return (
    <time dateTime={at} title={new Date(at).toLocaleString()}>
      {showRelative(Date.parse(at) - now)}
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

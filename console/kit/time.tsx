import { useEffect, useState } from 'react';

/** The current time, refreshed every `everyMs`. */
export const useNow = (everyMs = 1000): number => {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
};

const UNITS: [name: Intl.RelativeTimeFormatUnit, ms: number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
];

const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'narrow' });

const showRelative = (ms: number): string => {
  const [unit, length] = UNITS.find(([, length]) => Math.abs(ms) >= length) ?? ['second', 1000];
  return RELATIVE.format(Math.trunc(ms / length), unit);
};

/** "2 min ago", with the instant itself behind it. */
export const Time = ({ at }: { at: string | null }) => {
  const now = useNow(10_000);
  if (at === null) return <span className="soft">never</span>;
  return (
    <time dateTime={at} title={new Date(at).toLocaleString()}>
      {showRelative(Date.parse(at) - now)}
    </time>
  );
};

/** `1 h 4 min`, `4 min 10 s`, `9 s`. */
export const showDuration = (ms: number): string => {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
};

/** The time that is left until an instant. Not read out every second. */
export const Countdown = ({ until }: { until: number | string }) => {
  const now = useNow();
  return (
    <span className="countdown" role="timer" aria-live="off">
      {showDuration(new Date(until).getTime() - now)}
    </span>
  );
};

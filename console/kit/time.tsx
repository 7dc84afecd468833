import { useEffect, useState } from 'react';
import { texts } from '../texts.ts';

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

/** `narrow` (`1m ago`) is for tables, and `long` (`1 minute ago`) is for sentences. */
const RELATIVE = {
  narrow: new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'narrow' }),
  long: new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'long' }),
};

const showRelative = (ms: number, style: keyof typeof RELATIVE): string => {
  const [unit, length] = UNITS.find(([, length]) => Math.abs(ms) >= length) ?? ['second', 1000];
  return RELATIVE[style].format(Math.trunc(ms / length), unit);
};

export const Time = ({ at, style = 'narrow' }: { at: string | null; style?: keyof typeof RELATIVE }) => {
  const now = useNow(10_000);
  if (at === null) return <span className="soft">{texts.kit.never}</span>;
  return (
    <time dateTime={at} title={new Date(at).toLocaleString()}>
      {showRelative(Date.parse(at) - now, style)}
    </time>
  );
};

export const showDuration = (ms: number): string => {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
};

/** Shows the time left. Screen readers must not announce the countdown every second, hence `aria-live="off"`. */
export const Countdown = ({ until }: { until: number | string }) => {
  const now = useNow();
  return (
    <span className="countdown" role="timer" aria-live="off">
      {showDuration(new Date(until).getTime() - now)}
    </span>
  );
};

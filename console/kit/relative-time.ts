import { texts } from '../texts.ts';
import { plural } from './text.ts';

export const MINUTE_MS = 60_000;

const instant = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

const toMinute = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

export const showMinute = (at: string): string => toMinute.format(new Date(at));

export const showInstant = (at: string): string => instant.format(new Date(at));

const UNITS: [length: number, show: (count: number) => string][] = [
  [86_400_000, (count) => plural(count, 'day')],
  [3_600_000, (count) => `${count} h`],
  [60_000, (count) => `${count} min`],
  [1000, (count) => `${count} s`],
];

/**
 * A time less than a minute in the future is shown as "now", because the service's and the browser's clocks may differ.
 */
export const showRelative = (ms: number): string => {
  const [length, show] = ms > 0 && ms < MINUTE_MS ? [] : (UNITS.find(([length]) => Math.abs(ms) >= length) ?? []);
  if (!length || !show) return texts.kit.now;
  const amount = show(Math.floor(Math.abs(ms) / length));
  return ms < 0 ? texts.kit.ago(amount) : texts.kit.fromNow(amount);
};

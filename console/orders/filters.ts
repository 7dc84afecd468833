import type { OrderStatus } from '../../client/src/index.ts';
import type { OrderRow } from './moves.ts';

export const PRESETS = ['any', 'today', 'yesterday', 'week', 'month', 'custom'] as const;
export type Preset = (typeof PRESETS)[number];

export const STATUSES: readonly OrderStatus[] = ['placed', 'approved', 'delivered', 'cancelled', 'expired'];

export type Filters = { q: string; status: OrderStatus | undefined; when: Preset; from: string; to: string };

const among = <Value extends string>(values: readonly Value[], text: string | null): Value | undefined =>
  values.find((value) => value === text);

export const readFilters = (search: URLSearchParams): Filters => ({
  q: search.get('q') ?? '',
  status: among(STATUSES, search.get('status')),
  when: among(PRESETS, search.get('when')) ?? 'any',
  from: search.get('from') ?? '',
  to: search.get('to') ?? '',
});

export const hasFilters = ({ q, status, when }: Filters): boolean =>
  q.trim() !== '' || status !== undefined || when !== 'any';

/** A time range in ms since 1970. `end` is the first moment after the range. */
export type Range = { start: number; end: number };

const midnight = (now: number, daysAgo: number): number => {
  const day = new Date(now);
  day.setHours(0, 0, 0, 0);
  return day.setDate(day.getDate() - daysAgo);
};

/** Returns midnight in the reader's time zone, `days` days after the date in `text`. */
const dayOf = (text: string, days: number): number | undefined => {
  const [year = Number.NaN, month = Number.NaN, day = Number.NaN] = text.split('-').map(Number);
  const at = new Date(year, month - 1, day + days).getTime();
  return Number.isNaN(at) ? undefined : at;
};

export const rangeOf = ({ when, from, to }: Filters, now: number): Range => {
  const [first, last] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const ranges: Record<Preset, Range> = {
    any: { start: first, end: last },
    today: { start: midnight(now, 0), end: last },
    yesterday: { start: midnight(now, 1), end: midnight(now, 0) },
    week: { start: midnight(now, 6), end: last },
    month: { start: midnight(now, 29), end: last },
    custom: { start: dayOf(from, 0) ?? first, end: dayOf(to, 1) ?? last },
  };
  return ranges[when];
};

export const isIn = ({ start, end }: Range, { placedAt }: OrderRow): boolean => {
  const at = Date.parse(placedAt);
  return at >= start && at < end;
};

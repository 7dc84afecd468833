import type { EventCounts, EventPeriod, EventType } from '../../client/src/index.ts';

export const WEEK = 7;
const DAYS = 2 * WEEK;

/** Returns the start of each of the last `count` days in the reader's time zone, in ms. The oldest day comes first. */
export const lastDays = (now: number, count = DAYS): number[] => {
  const today = new Date(now).setHours(0, 0, 0, 0);
  return Array.from({ length: count }, (_, index) => {
    const day = new Date(today);
    return day.setDate(day.getDate() - count + 1 + index);
  });
};

export const countOf =
  (type: EventType) =>
  ({ byType }: EventPeriod): number =>
    byType[type] ?? 0;

export const perDay = (
  { periods }: EventCounts,
  days: readonly number[],
  count: (period: EventPeriod) => number,
): number[] => {
  const values = days.map(() => 0);
  for (const period of periods) {
    const day = days.findLastIndex((start) => start <= Date.parse(period.start));
    if (day >= 0) values[day] = (values[day] ?? 0) + count(period);
  }
  return values;
};

export const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

const ENDS: readonly EventType[] = ['order.delivered', 'order.cancelled', 'order.expired'];

/** Calculates the number of open orders at the end of each day by counting back from the current number. */
export const openPerDay = (counts: EventCounts, days: readonly number[], openNow: number): number[] => {
  const changes = perDay(
    counts,
    days,
    (period) => countOf('order.placed')(period) - sum(ENDS.map((end) => countOf(end)(period))),
  );
  return days.map((_, index) => openNow - sum(changes.slice(index + 1)));
};

const ORDER_MOVES: readonly EventType[] = ['order.placed', ...ENDS];

/**
 * Calculates the number of available pets at the end of each day by counting back from the current number. Returns
 * undefined if that is impossible, because a pet was deleted, or became pending or available without an order.
 */
export const availablePerDay = (
  counts: EventCounts,
  days: readonly number[],
  availableNow: number,
): number[] | undefined => {
  const ofDays = (type: EventType) => perDay(counts, days, countOf(type));
  const [changed, deleted, delivered] = [
    ofDays('pet.status_changed'),
    ofDays('pet.deleted'),
    ofDays('order.delivered'),
  ];
  const sold = perDay(counts, days, (period) => period.sold);
  const explained = sum(ORDER_MOVES.map((type) => sum(ofDays(type)))) + sum(sold) - sum(delivered);
  if (sum(deleted) > 0 || sum(changed) !== explained) return undefined;
  const changes = perDay(counts, days, (period) => {
    const count = (type: EventType) => countOf(type)(period);
    const soldWithoutOrder = period.sold - count('order.delivered');
    return (
      count('pet.created') +
      count('order.cancelled') +
      count('order.expired') -
      count('order.placed') -
      soldWithoutOrder
    );
  });
  const values = days.map((_, index) => availableNow - sum(changes.slice(index + 1)));
  return values.some((value) => value < 0) ? undefined : values;
};

/** `before` is the sum for the previous week, or undefined if there were no events in that week. */
export const compareWeeks = (counts: EventCounts, days: readonly number[], values: readonly number[]) => {
  const isKnown = sum(perDay(counts, days, ({ total }) => total).slice(0, -WEEK)) > 0;
  return { week: sum(values.slice(-WEEK)), before: isKnown ? sum(values.slice(0, -WEEK)) : undefined };
};

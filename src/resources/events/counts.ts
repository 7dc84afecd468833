import { z } from 'zod';
import type { BodyOf } from '../../kernel/contract.ts';
import type { EventType } from '../../kernel/event.ts';
import { count, EXAMPLE, formatInstant, instant, instantText, objectOf } from '../../kernel/schema.ts';

export type CountPeriod = 'hour' | 'day';

export type CountRange = { period: CountPeriod; from: number; to: number };

export type EventCount = { start: number; kind: EventType | 'sold'; count: number };

export const PERIOD_MS: Readonly<Record<CountPeriod, number>> = { hour: 3_600_000, day: 86_400_000 };

export const MAX_PERIODS = 1000;

/** A later time would be on a day that ends in the year 10000, which RFC 3339 cannot express. */
const LATEST_END = '9999-12-31T00:00:00Z';

const countPeriod = z
  .enum(['hour', 'day'], { error: 'must be hour or day' })
  .meta({ id: 'CountPeriod', description: 'Length of the periods in which events are counted.' });

export const countQuery = {
  from: instantText
    .optional()
    .meta({ description: 'Start of the first period; default: 7 days before `to`.', examples: [EXAMPLE.time] }),
  to: instantText
    .refine((at) => at <= Date.parse(LATEST_END), { error: `must be ${LATEST_END} or earlier` })
    .optional()
    .meta({ description: 'End of the last period; default: now.', examples: [EXAMPLE.later] }),
  by: countPeriod.default('hour').describe('Count by hour or by day, both in UTC.'),
};

const COUNTS = { total: 15, byType: { 'pet.created': 12, 'order.placed': 3 }, sold: 0 };

const FIELDS = {
  total: count.describe('Number of events.'),
  byType: z.record(z.string(), count).describe('Number of events by type; types without events are omitted.'),
  sold: count.describe('Number of pets that became `sold`, with or without an order.'),
};

const eventPeriod = objectOf({ start: EXAMPLE.time, ...COUNTS }, 'EventPeriod', 'Events in one hour or day.', {
  start: instant.describe('Start of the period.'),
  ...FIELDS,
});

export const eventCountsBody = z
  .object({
    by: countPeriod,
    from: instant.describe('Start of the first period.'),
    to: instant.describe('End of the last period.'),
    ...FIELDS,
    periods: z.array(eventPeriod).describe('Events by period; periods without events are omitted.'),
  })
  .meta({
    id: 'EventCounts',
    description: 'Number of events by type, in total and per hour or day.',
    examples: [
      { by: 'hour', from: EXAMPLE.time, to: EXAMPLE.later, ...COUNTS, periods: [{ start: EXAMPLE.time, ...COUNTS }] },
    ],
  });

const sum = (counts: readonly EventCount[]) => {
  const byType: Record<string, number> = {};
  let [total, sold] = [0, 0];
  for (const { kind, count } of counts) {
    if (kind === 'sold') sold += count;
    else {
      byType[kind] = (byType[kind] ?? 0) + count;
      total += count;
    }
  }
  return { total, byType, sold };
};

export const toEventCountsBody = (
  { period, from, to }: CountRange,
  counts: readonly EventCount[],
): BodyOf<typeof eventCountsBody> => ({
  by: period,
  from: formatInstant(from),
  to: formatInstant(to),
  ...sum(counts),
  periods: [...Map.groupBy(counts, ({ start }) => start)].map(([start, own]) => ({
    start: formatInstant(start),
    ...sum(own),
  })),
});

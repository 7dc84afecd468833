import type { HealthSeries } from '../../client/src/index.ts';
import type { PlotColor, PlotLine } from '../kit/plot/plot-data.ts';
import { latest, type Name, shareOf, type Values } from './series.ts';
import { showBytes, showMs, showNumber, showShare } from './show.ts';
import { texts } from './texts.ts';

type Series = HealthSeries['series'];

export type Chart = {
  title: string;
  about: string;
  lines: (series: Series) => readonly PlotLine[];
  show: (value: number) => string;
  /** The lowest value at which the axis may end. */
  least?: number;
  note: (series: Series) => string;
};

type Shown = { title: string; about: string; note: string };

const one = (
  { title, about, note }: Shown,
  value: Name | ((series: Series) => Values),
  show: Chart['show'],
  color: PlotColor = 'good',
): Chart => ({
  title,
  about,
  show,
  note: () => note,
  lines: (series) => [
    { label: title, color, dash: [], values: typeof value === 'function' ? value(series) : series[value] },
  ],
});

const typicalAndSlow = (
  { title, about, typical, slow, note }: typeof texts.charts.duration,
  [p50, p99]: readonly [Name, Name],
): Chart => ({
  title,
  about,
  show: showMs,
  note: (series) => note(showMs(latest(series[p99]) ?? 0)),
  lines: (series) => [
    { label: typical, color: 'good', dash: [], values: series[p50] },
    { label: slow, color: 'soft', dash: [4, 3], values: series[p99] },
  ],
});

const { charts } = texts;

const attempts: Chart = {
  title: charts.attempts.title,
  about: charts.attempts.about,
  show: showNumber,
  note: ({ failedPerSecond }) => charts.attempts.note(showNumber(latest(failedPerSecond) ?? 0)),
  lines: ({ deliveredPerSecond, failedPerSecond }) => [
    { label: charts.attempts.delivered, color: 'good', dash: [], values: deliveredPerSecond },
    { label: charts.attempts.failed, color: 'bad', dash: [4, 3], values: failedPerSecond },
  ],
};

/** A chart that has no values is hidden, for example disk syncs on PostgreSQL and the event delay on SQLite. */
export const GROUPS: readonly { title: string; charts: readonly Chart[] }[] = [
  {
    title: texts.groups.traffic,
    charts: [
      one(charts.requests, 'requestsPerSecond', showNumber),
      typicalAndSlow(charts.duration, ['durationP50Ms', 'durationP99Ms']),
      {
        ...one(
          charts.failed,
          ({ serverErrorsPerSecond, requestsPerSecond }) => shareOf(serverErrorsPerSecond, requestsPerSecond),
          showShare,
          'bad',
        ),
        least: 0.01,
      },
      one(charts.refused, 'rateLimitedPerSecond', showNumber, 'warn'),
    ],
  },
  {
    title: texts.groups.delivery,
    charts: [
      one(charts.events, 'eventLagMs', showMs),
      one(charts.webhooks, 'webhookLagMs', showMs, 'warn'),
      attempts,
      one(charts.streams, 'eventStreams', showNumber, 'soft'),
    ],
  },
  {
    title: texts.groups.storage,
    charts: [
      one(charts.reads, 'databaseReadMs', showMs),
      typicalAndSlow(charts.syncs, ['syncP50Ms', 'syncP99Ms']),
      one(charts.group, 'commitP50', showNumber),
      one(charts.writes, 'writesWaiting', showNumber, 'warn'),
      one(charts.database, 'databaseBytes', showBytes, 'soft'),
      one(charts.disk, 'diskFreeBytes', showBytes, 'soft'),
      one(charts.memory, 'memoryBytes', showBytes, 'soft'),
      one(charts.processor, 'processorShare', showShare, 'soft'),
    ],
  },
];

export const isKnown = ({ lines }: Chart, { series }: HealthSeries): boolean =>
  latest(lines(series)[0]?.values ?? []) !== undefined;

export type ErrorCount = { code: string; count: number };

export const countErrors = ({ everySeconds, errorsPerSecond }: HealthSeries): ErrorCount[] =>
  Object.entries(errorsPerSecond)
    .map(([code, rates]) => ({
      code,
      count: Math.round(rates.reduce<number>((sum, rate) => sum + (rate ?? 0), 0) * everySeconds),
    }))
    .filter(({ count }) => count > 0)
    .sort((one, other) => other.count - one.count);

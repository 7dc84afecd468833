import type { PlotData } from '../kit/plot/plot-data.ts';
import { errorLines, type Line } from './error-lines.ts';
import { quantileOf, rateOf, type Snapshot, sumOf } from './figures.ts';

export type Panel = {
  title: string;
  show: (value: number) => string;
  lines: readonly Line[] | ((snapshots: readonly Snapshot[]) => readonly Line[]);
};

const REQUESTS = 'petstore_http_requests_total';
const DURATION = 'petstore_http_request_duration_seconds';

const showNumber = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 1 : 0 });
const showMs = (value: number): string => `${showNumber(value)} ms`;
const showMegabytes = (value: number): string => `${showNumber(value)} MB`;

const scaled = (value: number | null | undefined, by: number): number | null =>
  value === null || value === undefined ? null : value * by;

const rate =
  (name: string, fits?: (labels: Readonly<Record<string, string>>) => boolean): Line['value'] =>
  (before, now) =>
    rateOf(before, now, name, fits);
const quantile =
  (name: string, share: number, by: number): Line['value'] =>
  (before, now) =>
    scaled(quantileOf(before, now, name, share), by);
const gauge =
  (name: string, by = 1): Line['value'] =>
  (_, now) =>
    scaled(sumOf(now, name), by);

export const PANELS: readonly Panel[] = [
  {
    title: 'Requests per second',
    show: showNumber,
    lines: [{ label: 'all', color: 'accent', value: rate(REQUESTS) }],
  },
  {
    title: 'Response time',
    show: showMs,
    lines: [
      { label: 'p50', color: 'good', value: quantile(DURATION, 0.5, 1000) },
      { label: 'p99', color: 'warn', value: quantile(DURATION, 0.99, 1000) },
    ],
  },
  {
    title: 'Errors per second, by code',
    show: showNumber,
    lines: errorLines,
  },
  {
    title: 'Rate limiter decisions per second',
    show: showNumber,
    lines: [
      {
        label: 'admitted',
        color: 'good',
        value: rate('petstore_limiter_decisions_total', ({ decision }) => decision === 'admitted'),
      },
      {
        label: 'rejected',
        color: 'bad',
        value: rate('petstore_limiter_decisions_total', ({ decision }) => decision !== 'admitted'),
      },
    ],
  },
  {
    title: 'Group commit: transactions per sync',
    show: showNumber,
    lines: [
      { label: 'p50', color: 'good', value: quantile('petstore_commit_group_size', 0.5, 1) },
      { label: 'p99', color: 'warn', value: quantile('petstore_commit_group_size', 0.99, 1) },
    ],
  },
  {
    title: 'Disk sync time',
    show: showMs,
    lines: [
      { label: 'p50', color: 'good', value: quantile('petstore_commit_sync_seconds', 0.5, 1000) },
      { label: 'p99', color: 'warn', value: quantile('petstore_commit_sync_seconds', 0.99, 1000) },
    ],
  },
  {
    title: 'Queued writes',
    show: showNumber,
    lines: [{ label: 'transactions', color: 'accent', value: gauge('petstore_writes_waiting') }],
  },
  {
    title: 'Event lag',
    show: showMs,
    lines: [{ label: 'oldest pending', color: 'accent', value: gauge('petstore_event_lag_seconds', 1000) }],
  },
  {
    title: 'Webhook lag',
    show: showMs,
    lines: [{ label: 'longest overdue', color: 'accent', value: gauge('petstore_webhook_lag_seconds', 1000) }],
  },
  {
    title: 'Webhook attempts per second',
    show: showNumber,
    lines: [
      {
        label: 'delivered',
        color: 'good',
        value: rate('petstore_webhook_attempts_total', (labels) => Object.values(labels).includes('delivered')),
      },
      {
        label: 'failed',
        color: 'bad',
        value: rate('petstore_webhook_attempts_total', (labels) => Object.values(labels).includes('failed')),
      },
    ],
  },
  {
    title: 'Open event streams',
    show: showNumber,
    lines: [{ label: 'streams', color: 'accent', value: gauge('petstore_event_streams') }],
  },
  {
    title: 'Memory',
    show: showMegabytes,
    lines: [{ label: 'resident', color: 'accent', value: gauge('process_resident_memory_bytes', 1e-6) }],
  },
];

export const plotOf = ({ title, show, lines }: Panel, snapshots: readonly Snapshot[]): PlotData | undefined => {
  const pairs = snapshots.slice(1).map((now, index) => [snapshots[index] as Snapshot, now] as const);
  const drawn = (typeof lines === 'function' ? lines(snapshots) : lines).map(({ value, ...look }) => ({
    ...look,
    values: pairs.map(([before, now]) => value(before, now)),
  }));
  if (!drawn.some(({ values }) => values.some((value) => value !== null))) return undefined;
  return { label: title, times: pairs.map(([, now]) => now.at / 1000), lines: drawn, show, height: 140 };
};

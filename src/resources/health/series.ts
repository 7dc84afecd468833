import { z } from 'zod';
import type { BodyOf } from '../../kernel/contract.ts';
import { FAILURES } from '../../kernel/failure.ts';
import type { Job } from '../../kernel/job.ts';
import type { Metrics } from '../../kernel/metrics.ts';
import type { Clock, Elapsed } from '../../kernel/runtime.ts';
import { EXAMPLE, formatInstant, instant, objectOf } from '../../kernel/schema.ts';
import { type Figure, gauge, perSecond, quantile, type Snapshot } from './figures.ts';

const EVERY_MS = 10_000;
/** Number of samples per series. The samples of a series cover one hour and take up 2.9 kB. */
const MOST = 360;

const REQUESTS = 'petstore_http_requests_total';
const DURATION = 'petstore_http_request_duration_seconds';
const DECISIONS = 'petstore_limiter_decisions_total';
const ERRORS = 'petstore_http_errors_total';
const ATTEMPTS = 'petstore_webhook_attempts_total';
const LOOP = 'petstore_event_loop_delay_seconds';
const SYNC = 'petstore_commit_sync_seconds';

type Series = readonly [description: string, figure: Figure];

const SERIES = {
  requestsPerSecond: ['Requests answered per second.', perSecond(REQUESTS)],
  clientErrorsPerSecond: [
    'Responses per second with a status of 4xx, except 429.',
    perSecond(REQUESTS, ({ status = '' }) => status.startsWith('4') && status !== '429'),
  ],
  rateLimitedPerSecond: ['Responses per second with the status 429.', perSecond(REQUESTS, (of) => of.status === '429')],
  serverErrorsPerSecond: [
    'Responses per second with a status of 5xx.',
    perSecond(REQUESTS, ({ status = '' }) => status.startsWith('5')),
  ],
  shedPerSecond: ['Requests per second refused because of overload.', perSecond('petstore_sheds_total')],
  durationP50Ms: ['Median response time in ms, excluding 429 responses.', quantile(DURATION, 0.5, 1000)],
  durationP99Ms: [
    '99th percentile of the response time in ms, excluding 429 responses.',
    quantile(DURATION, 0.99, 1000),
  ],
  admittedPerSecond: [
    'Requests per second that the rate limiter admitted.',
    perSecond(DECISIONS, ({ decision }) => decision === 'admitted'),
  ],
  rejectedPerSecond: [
    'Requests per second that the rate limiter rejected.',
    perSecond(DECISIONS, ({ decision }) => decision !== 'admitted'),
  ],
  databaseReadMs: ['Duration of one small database read, in ms.', gauge('petstore_database_read_seconds', 1000)],
  commitP50: ['Median number of transactions per disk sync; SQLite only.', quantile('petstore_commit_group_size', 0.5)],
  syncP50Ms: ['Median disk sync time, in ms; SQLite only.', quantile(SYNC, 0.5, 1000)],
  syncP99Ms: ['99th percentile of the disk sync time, in ms; SQLite only.', quantile(SYNC, 0.99, 1000)],
  writesWaiting: ['Transactions waiting for their commit.', gauge('petstore_writes_waiting')],
  writeWaitMs: [
    'How long the longest-waiting transaction has waited, in ms.',
    gauge('petstore_write_wait_seconds', 1000),
  ],
  eventLagMs: [
    'Age of the oldest event that readers cannot see yet, in ms; null except on the leader.',
    gauge('petstore_event_lag_seconds', 1000),
  ],
  webhookLagMs: [
    'How long the oldest pending delivery has been overdue, in ms; null except on the leader.',
    gauge('petstore_webhook_lag_seconds', 1000),
  ],
  deliveredPerSecond: [
    'Successful webhook attempts per second.',
    perSecond(ATTEMPTS, ({ result }) => result === 'delivered'),
  ],
  failedPerSecond: ['Failed webhook attempts per second.', perSecond(ATTEMPTS, ({ result }) => result === 'failed')],
  eventStreams: ['Open event streams.', gauge('petstore_event_streams')],
  eventLoopP99Ms: ['99th percentile of the event loop delay, in ms.', quantile(LOOP, 0.99, 1000)],
  processorShare: ['Processor time used; 1 means one fully used processor.', perSecond('process_cpu_seconds_total')],
  memoryBytes: ['Resident memory of the process.', gauge('process_resident_memory_bytes')],
  databaseBytes: ['Size of the database file; SQLite only.', gauge('petstore_database_file_bytes')],
  diskFreeBytes: ['Free disk space; SQLite only.', gauge('petstore_disk_free_bytes')],
} as const satisfies Record<string, Series>;

type Name = keyof typeof SERIES;

const METRICS: ReadonlySet<string> = new Set([ERRORS, ...Object.values(SERIES).map(([, { metric }]) => metric)]);

const CODES = Object.keys(FAILURES);

const EXAMPLE_VALUES = [null, 12.5];

const values = z.array(z.number().nullable()).meta({ examples: [EXAMPLE_VALUES] });

const eachSeries = <Value>(value: (series: Series, name: string) => Value) =>
  Object.fromEntries(Object.entries(SERIES).map(([name, one]) => [name, value(one, name)])) as Record<Name, Value>;

const EXAMPLE_SERIES = eachSeries(() => EXAMPLE_VALUES);
const SERIES_WORDS = 'One value per sample and series; null if the value is unknown or does not apply.';
const seriesShape = eachSeries(([description]) => values.describe(description));

const HEALTH = {
  startedAt: EXAMPLE.time,
  everySeconds: EVERY_MS / 1000,
  times: [EXAMPLE.time, '2026-11-20T12:00:10.000Z'],
  series: EXAMPLE_SERIES,
  errorsPerSecond: { rate_limit_exceeded: [null, 0.5] },
};
const HEALTH_WORDS = 'Samples from the last hour, taken by the process that answered.';

export const healthSeriesBody = objectOf(HEALTH, 'HealthSeries', HEALTH_WORDS, {
  startedAt: instant.describe('When the process began to take samples.'),
  everySeconds: z.int32().describe('Seconds between two samples.'),
  times: z.array(instant).describe('Time of each sample, oldest first.'),
  series: objectOf(EXAMPLE_SERIES, 'HealthValues', SERIES_WORDS, seriesShape).describe(SERIES_WORDS),
  errorsPerSecond: z
    .record(z.string(), values)
    .describe('Refused requests per second by error code; codes that did not occur are omitted.'),
});

/** Digits after the fourth significant digit are only noise, and they would double the size of the response. */
const round = (value: number): number | null => (Number.isNaN(value) ? null : Number(value.toPrecision(4)));

type Deps = { metrics: Pick<Metrics, 'sample'>; clock: Clock; elapsed: Elapsed };

export const createHealthSeries = ({ metrics, clock, elapsed }: Deps) => {
  const startedAt = clock();
  const figures = new Map<string, Figure>([
    ...Object.entries(SERIES).map(([name, [, figure]]) => [name, figure] as const),
    ...CODES.map((code) => [`error ${code}`, perSecond(ERRORS, (of) => of.code === code)] as const),
  ]);
  const taken: { at: number; values: Float64Array }[] = [];
  let before: Snapshot | undefined;

  const sample = async (): Promise<void> => {
    const now = { atMs: elapsed(), samples: await metrics.sample(METRICS) };
    const values = Float64Array.from(figures.values(), ({ read }) => read(before, now) ?? Number.NaN);
    taken.push({ at: clock(), values });
    if (taken.length > MOST) taken.shift();
    before = now;
  };

  return {
    job: { name: 'sample-health', everyMs: EVERY_MS, run: sample } satisfies Job,

    since(after: number): BodyOf<typeof healthSeriesBody> {
      const shown = taken.filter(({ at }) => at > after);
      const names = [...figures.keys()];
      const valuesOf = (name: string) => {
        const index = names.indexOf(name);
        return shown.map(({ values }) => round(values[index] as number));
      };
      const errors = CODES.map((code) => [code, valuesOf(`error ${code}`)] as const);
      return {
        startedAt: formatInstant(startedAt),
        everySeconds: EVERY_MS / 1000,
        times: shown.map(({ at }) => formatInstant(at)),
        series: eachSeries((_, name) => valuesOf(name)),
        errorsPerSecond: Object.fromEntries(errors.filter(([, rates]) => rates.some((rate) => rate))),
      };
    },
  };
};

export type HealthSeries = ReturnType<typeof createHealthSeries>;

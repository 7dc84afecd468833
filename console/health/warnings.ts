import type { Backup, HealthSeries } from '../../client/src/index.ts';
import type { Tone } from '../kit/badge.tsx';
import { type WatchedWebhook, webhookNeeds } from '../overview/needs.ts';
import { latest, type Name, recent, shareOf } from './series.ts';
import type { State } from './state.ts';
import { texts } from './texts.ts';

/** `about` is the title of the chart or panel that shows the details. */
export type Warning = { tone: Extract<Tone, 'warn' | 'bad'>; text: string; about?: string };

const DAY_MS = 86_400_000;
/** docs/operating/back-up.md recommends a daily backup. The additional half day leaves time for slow backups. */
const OLD_BACKUP_MS = 1.5 * DAY_MS;
const LITTLE_DISK_BYTES = 2e9;

type Rule = {
  about: string;
  most: number;
  value: (series: HealthSeries['series']) => number | undefined;
  text: (value: number) => string;
};

const of =
  (name: Name): Rule['value'] =>
  (series) =>
    recent(series[name]);

const RULES: readonly Rule[] = [
  {
    about: texts.charts.failed.title,
    most: 0.01,
    value: ({ serverErrorsPerSecond: failed, requestsPerSecond: all }) => recent(shareOf(failed, all)),
    text: texts.warnings.failing,
  },
  { about: texts.charts.duration.title, most: 1000, value: of('durationP99Ms'), text: texts.warnings.slow },
  { about: texts.charts.failed.title, most: 0, value: of('shedPerSecond'), text: texts.warnings.shedding },
  { about: texts.charts.writes.title, most: 1000, value: of('writeWaitMs'), text: texts.warnings.writesWait },
  { about: texts.charts.events.title, most: 5000, value: of('eventLagMs'), text: texts.warnings.eventsLate },
  {
    about: texts.charts.webhooks.title,
    most: 60_000,
    value: ({ webhookLagMs }) => latest(webhookLagMs),
    text: texts.warnings.webhooksLate,
  },
];

const stateWarnings = ({ isWritable, isDamaged, isRedisUp }: State): Warning[] => [
  ...(isDamaged ? [{ tone: 'bad', text: texts.warnings.damaged } as const] : []),
  ...(!isWritable && !isDamaged ? [{ tone: 'bad', text: texts.warnings.readOnly } as const] : []),
  ...(isRedisUp === false ? [{ tone: 'warn', text: texts.warnings.redis } as const] : []),
];

const backupWarnings = ({ backupAgeMs }: State): Warning[] => {
  if (backupAgeMs === undefined) return [{ tone: 'warn', about: texts.backups.title, text: texts.warnings.noBackup }];
  return backupAgeMs > OLD_BACKUP_MS
    ? [{ tone: 'warn', about: texts.backups.title, text: texts.warnings.oldBackup(backupAgeMs) }]
    : [];
};

/** The overview lists the same webhooks. A webhook that someone turned off on purpose needs no warning. */
export const webhookWarnings = (watched: readonly WatchedWebhook[]): Warning[] =>
  webhookNeeds(watched)
    .filter(({ tone }) => tone === 'bad')
    .map(({ what }) => ({ tone: 'warn', text: `${what}.` }));

/**
 * Warns about backups only in production and on SQLite: test data needs no backup, and the service does not back up a
 * PostgreSQL database.
 */
export const warningsOf = (
  health: HealthSeries | undefined,
  state: State | undefined,
  [lastBackup]: readonly Pick<Backup, 'state'>[] = [],
  isProduction = true,
): Warning[] => {
  const series = health?.series;
  const free = series && latest(series.diskFreeBytes);
  return [
    ...(state ? stateWarnings(state) : []),
    ...(state && isProduction && series && latest(series.databaseBytes) !== undefined ? backupWarnings(state) : []),
    ...(lastBackup?.state === 'failed' ? [{ tone: 'warn', text: texts.warnings.failedBackup } as const] : []),
    ...(series
      ? RULES.flatMap(({ about, most, value, text }): Warning[] => {
          const now = value(series);
          return now === undefined || now <= most ? [] : [{ tone: 'warn', about, text: text(now) }];
        })
      : []),
    ...(free !== undefined && free < LITTLE_DISK_BYTES
      ? [{ tone: 'warn', about: texts.charts.disk.title, text: texts.warnings.disk(free) } as const]
      : []),
  ];
};

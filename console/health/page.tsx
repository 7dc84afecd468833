import type { HealthSeries } from '../../client/src/index.ts';
import { Badge } from '../kit/badge.tsx';
import { Callout } from '../kit/callout.tsx';
import { ErrorNote } from '../kit/error-note.tsx';
import { PageHead } from '../kit/page-head.tsx';
import { Panel } from '../kit/panel.tsx';
import { Skeleton } from '../kit/placeholder.tsx';
import { Time } from '../kit/time.tsx';
import { Updated } from '../kit/updated.tsx';
import { titles } from '../texts.ts';
import { ChartCard, Errors } from './chart-card.tsx';
import { GROUPS } from './charts.ts';
import type { State } from './state.ts';
import { texts } from './texts.ts';
import { useHealthState, useSeries } from './use-health.ts';
import { type Warning, warningsOf } from './warnings.ts';

const HOUR_MS = 3_600_000;

const Status = ({ warnings }: { warnings: readonly Warning[] }) => {
  const said = warnings.map(({ text }) => text).join(' ');
  if (warnings.length === 0) {
    return (
      <Callout tone="good" title={texts.status.good}>
        {texts.status.goodText}
      </Callout>
    );
  }
  const isBad = warnings.some(({ tone }) => tone === 'bad');
  return (
    <Callout tone={isBad ? 'bad' : 'warn'} title={isBad ? texts.status.bad : texts.status.warn(warnings.length)}>
      {said}
    </Callout>
  );
};

const up = (isUp: boolean, [yes, no]: readonly [string, string]) => (
  <Badge tone={isUp ? 'good' : 'bad'} shape={isUp ? 'check' : 'cross'}>
    {isUp ? yes : no}
  </Badge>
);

const at = (ms: number) => <Time at={new Date(ms).toISOString()} />;

const About = ({ of, readAt, isFile }: { of: State; readAt: number; isFile: boolean }) => {
  const { version = '', commit = '', runtime = '' } = of.build;
  const facts: [label: string, value: React.ReactNode][] = [
    [texts.about.version, commit && commit !== 'unknown' ? texts.about.commit(version, commit) : version],
    [texts.about.runtime, runtime],
    [texts.about.started, of.startedAt === undefined ? '' : at(of.startedAt)],
    [texts.about.database, up(of.isWritable, [texts.about.writable, texts.about.notWritable])],
    [texts.about.redis, of.isRedisUp === undefined ? '' : up(of.isRedisUp, [texts.about.up, texts.about.down])],
    [
      texts.about.backup,
      of.backupAgeMs === undefined ? (isFile ? texts.about.noBackup : '') : at(readAt - of.backupAgeMs),
    ],
  ];
  return (
    <dl className="facts">
      {facts.map(([label, value]) =>
        value === '' ? null : (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
};

const Charts = ({ health, warnings }: { health: HealthSeries; warnings: readonly Warning[] }) => {
  const marked = new Set(warnings.map(({ about }) => about));
  return GROUPS.map(({ title, charts }) => (
    <section key={title} aria-label={title}>
      <h2 className="sub">{title}</h2>
      <div className="multiples">
        {charts.map((chart) => (
          <ChartCard
            key={chart.title}
            chart={chart}
            health={health}
            mark={
              marked.has(chart.title) ? (chart.title === texts.charts.disk.title ? texts.low : texts.high) : undefined
            }
          />
        ))}
      </div>
    </section>
  ));
};

const Note = ({ health, updatedAt }: { health: HealthSeries; updatedAt: number }) => {
  const isWhole = updatedAt - Date.parse(health.startedAt) > HOUR_MS;
  return (
    <>
      {isWhole ? texts.lastHour : texts.since(<Time at={health.startedAt} />)} · <Updated at={updatedAt} />
    </>
  );
};

export const Page = () => {
  const { data: health, error, dataUpdatedAt, refetch } = useSeries();
  const { data: state, error: stateError, dataUpdatedAt: readAt, refetch: readState } = useHealthState();
  const warnings = warningsOf(health, state);
  return (
    <>
      <PageHead title={titles.health} note={health && <Note health={health} updatedAt={dataUpdatedAt} />} />
      {error && <ErrorNote error={error} onRetry={() => refetch()} />}
      {stateError && <ErrorNote error={stateError} onRetry={() => readState()} />}
      {!health && !error && <Skeleton lines={10} />}
      {health && state && <Status warnings={warnings} />}
      {health && <Charts health={health} warnings={warnings} />}
      <div className="cards health-end">
        {health && (
          <Panel title={texts.errors.title} end={texts.errors.note}>
            <Errors of={health} />
          </Panel>
        )}
        {state && (
          <Panel title={texts.about.title}>
            <About
              of={state}
              readAt={readAt}
              isFile={health?.series.databaseBytes.some((size) => size !== null) ?? false}
            />
          </Panel>
        )}
      </div>
    </>
  );
};

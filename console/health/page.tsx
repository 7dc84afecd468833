import { useSearchParams } from 'wouter';
import type { HealthSeries } from '../../client/src/index.ts';
import { useIsLost } from '../data/notices.ts';
import { useBackups } from '../data/use-backups.ts';
import { Callout } from '../kit/callout.tsx';
import { ErrorNote } from '../kit/error-note.tsx';
import { PageHead } from '../kit/page-head.tsx';
import { Panel } from '../kit/panel.tsx';
import { Skeleton } from '../kit/placeholder.tsx';
import { Time } from '../kit/time.tsx';
import { Updated } from '../kit/updated.tsx';
import { useWebhooks } from '../overview/watched.ts';
import { ENVIRONMENT, useSession } from '../session/session.ts';
import { titles } from '../texts.ts';
import { About, Settings } from './about.tsx';
import { BackUpNow } from './back-up-now.tsx';
import { Backups } from './backups.tsx';
import { ChartCard, Errors } from './chart-card.tsx';
import { GROUPS, isKnown } from './charts.ts';
import { HOUR_MINUTES, lastMinutes } from './series.ts';
import { texts } from './texts.ts';
import { useHealthState, useSeries, useService } from './use-health.ts';
import { type Warning, warningsOf, webhookWarnings } from './warnings.ts';

const MINUTE_MS = 60_000;
const PERIODS = [15, HOUR_MINUTES];

const Status = ({ warnings }: { warnings: readonly Warning[] }) => {
  const { can } = useSession();
  const said = warnings.map(({ text }) => text).join(' ');
  if (warnings.length === 0) {
    return (
      <Callout tone="good" title={texts.status.good}>
        {texts.status.goodText}
      </Callout>
    );
  }
  const isBad = warnings.some(({ tone }) => tone === 'bad');
  const canBackUp = can('keys:write') && warnings.some(({ about }) => about === texts.backups.title);
  return (
    <Callout
      tone={isBad ? 'bad' : 'warn'}
      title={isBad ? texts.status.bad : texts.status.warn(warnings.length)}
      action={canBackUp && <BackUpNow />}
    >
      {said}
    </Callout>
  );
};

const Charts = ({ health, warnings }: { health: HealthSeries; warnings: readonly Warning[] }) => {
  const marked = new Set(warnings.map(({ about }) => about));
  return GROUPS.map(({ title, charts }) => (
    <section key={title} aria-label={title}>
      <h2 className="sub">{title}</h2>
      {!charts.some((chart) => isKnown(chart, health)) && (
        <p className="card measuring" role="status">
          {texts.measuring(2 * health.everySeconds)}
        </p>
      )}
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

type PeriodProps = { minutes: number; onChange: (minutes: number) => void };

const PeriodChoice = ({ minutes, onChange }: PeriodProps) => (
  <fieldset className="segments">
    <legend className="unseen">{texts.period}</legend>
    {PERIODS.map((one) => (
      <label key={one}>
        <input type="radio" name="period" checked={one === minutes} onChange={() => onChange(one)} />
        {texts.periods[one]}
      </label>
    ))}
  </fieldset>
);

type NoteProps = { health: HealthSeries; updatedAt: number; minutes: number };

const Note = ({ health, updatedAt, minutes }: NoteProps) => {
  const isWhole = updatedAt - Date.parse(health.startedAt) > minutes * MINUTE_MS;
  return (
    <>
      {isWhole ? texts.last[minutes] : texts.since(<Time at={health.startedAt} />)} · <Updated at={updatedAt} />
    </>
  );
};

export const Page = () => {
  const { data: health, error, dataUpdatedAt, refetch } = useSeries();
  const { data: state, error: stateError, refetch: readState } = useHealthState();
  const { data: service, error: serviceError, refetch: readService } = useService();
  const { data: backups } = useBackups();
  const [search, setSearch] = useSearchParams();
  const minutes = PERIODS.find((one) => String(one) === search.get('minutes')) ?? HOUR_MINUTES;
  const shown = health && lastMinutes(health, minutes);
  const hasFile = service?.engine === 'sqlite';
  const { data: webhooks, isLoading: areWebhooksLoading } = useWebhooks();
  const isAway = useIsLost() || Boolean(error ?? stateError);
  const warnings = [...warningsOf(health, state, backups, ENVIRONMENT === 'production'), ...webhookWarnings(webhooks)];
  return (
    <>
      <PageHead
        title={titles.health}
        note={health && <Note health={health} updatedAt={dataUpdatedAt} minutes={minutes} />}
      >
        <PeriodChoice
          minutes={minutes}
          onChange={(next) => setSearch(next === HOUR_MINUTES ? {} : { minutes: String(next) })}
        />
      </PageHead>
      {error && <ErrorNote error={error} onRetry={() => refetch()} />}
      {stateError && <ErrorNote error={stateError} onRetry={() => readState()} />}
      {serviceError && <ErrorNote error={serviceError} onRetry={() => readService()} />}
      {!health && !error && <Skeleton lines={10} />}
      {health && state && !areWebhooksLoading && !isAway && <Status warnings={warnings} />}
      {shown && <Charts health={shown} warnings={warnings} />}
      <div className="cards health-end">
        {shown && (
          <Panel title={texts.errors.title} end={texts.errors.note}>
            <Errors of={shown} />
          </Panel>
        )}
        <Backups hasFile={hasFile} />
        {service && <About of={service} state={state} />}
        {service && <Settings of={service.settings} />}
      </div>
    </>
  );
};

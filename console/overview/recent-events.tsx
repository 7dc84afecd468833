import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import { type LiveEvent, useEvents } from '../data/live.ts';
import { ErrorNote } from '../kit/error-note.tsx';
import { Skeleton } from '../kit/placeholder.tsx';
import { Plot } from '../kit/plot/plot.tsx';
import { isolated, showCount } from '../kit/text.ts';
import { Time, useNow } from '../kit/time.tsx';
import { useSession } from '../session/session.ts';
import { common } from '../texts.ts';
import { texts } from './texts.ts';

const HOUR_MS = 3_600_000;
const BAR_MS = 300_000;
/** The service's maximum page size. */
const MOST = 100;
const SHOWN = 8;
const KEY = ['events', 'overview'];

const subjectOf = ({ data: { object } }: LiveEvent): string => {
  if ('url' in object) return new URL(object.url).host;
  if ('petId' in object) return `${common.order(object.id)}, ${common.pet(object.petId)}`;
  return `${isolated(object.name ?? texts.recentEvents.category)} ${'categoryId' in object ? `· ${common.pet(object.id)}` : ''}`;
};

const useLatest = () => {
  const { petstore } = useSession();
  const queries = useQueryClient();
  useEvents(undefined, (event) => {
    queries.setQueryData<LiveEvent[]>(KEY, (kept) =>
      !kept || kept.some(({ id }) => id === event.id) ? kept : [event, ...kept].slice(0, MOST),
    );
  });
  return useQuery({
    queryKey: KEY,
    queryFn: async (): Promise<LiveEvent[]> =>
      (await petstore.events.list({ order: 'desc', limit: MOST }).page()).items,
  });
};

const Bars = ({ events, now }: { events: readonly LiveEvent[]; now: number }) => {
  const first = Math.floor((now - HOUR_MS) / BAR_MS) + 1;
  const bars = Array.from({ length: HOUR_MS / BAR_MS }, (_, index) => first + index);
  const barOf = ({ timestamp }: LiveEvent) => Math.floor(Date.parse(timestamp) / BAR_MS);
  return (
    <Plot
      label={texts.recentEvents.plot}
      times={bars.map((bar) => (bar * BAR_MS) / 1000)}
      lines={[
        {
          label: texts.recentEvents.line,
          color: 'accent',
          values: bars.map((bar) => events.filter((event) => barOf(event) === bar).length),
        },
      ]}
      isBars
      height={160}
    />
  );
};

export const RecentEvents = () => {
  const { data, error, refetch } = useLatest();
  const now = useNow(60_000);
  const lastHour = (data ?? []).filter(({ timestamp }) => Date.parse(timestamp) > now - HOUR_MS);
  return (
    <section className="card" aria-label={texts.recentEvents.title}>
      <h2>
        {texts.recentEvents.title}{' '}
        <span className="soft">
          {data && showCount(lastHour.length)}
          {lastHour.length === MOST && '+'}
        </span>
      </h2>
      {error && <ErrorNote error={error} onRetry={() => refetch()} />}
      {!data && !error && <Skeleton lines={8} />}
      {data && <Bars events={lastHour} now={now} />}
      <ul className="feed">
        {lastHour.slice(0, SHOWN).map((event) => (
          <li key={event.id}>
            <Link href={`/events?event=${event.sequence}`}>{event.type}</Link> <span>{subjectOf(event)}</span>{' '}
            <span className="soft">
              <Time at={event.timestamp} />
            </span>
          </li>
        ))}
      </ul>
      {data && lastHour.length === 0 && <p className="soft">{texts.recentEvents.none}</p>}
    </section>
  );
};

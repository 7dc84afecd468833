import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { useRefresh } from '../data/refresh.ts';
import { ErrorNote } from '../kit/error-note.tsx';
import { Skeleton } from '../kit/placeholder.tsx';
import { Time } from '../kit/time.tsx';
import { groupActivity } from '../overview/activity-items.ts';
import { useSession } from '../session/session.ts';
import { EventSentence } from './sentence.tsx';
import { texts } from './texts.ts';

const SHOWN = 8;
/** Number of events to load. Similar events share a line, so the list has fewer lines: an import takes up only one. */
const LOADED = 100;

export const ChangesByKey = ({ of }: { of: string }) => {
  const { petstore } = useSession();
  const key = ['events', 'by', of];
  const { data, error, refetch } = useQuery({
    queryKey: key,
    queryFn: async () => (await petstore.events.list({ keyId: of, order: 'desc', limit: LOADED }).page()).items,
  });
  useRefresh(undefined, key);
  return (
    <section aria-label={texts.byKey.title}>
      <div className="row head">
        <h3>{texts.byKey.title}</h3>
        <Link className="button quiet small push" href={`/events?by=${of}`}>
          {texts.byKey.all}
        </Link>
      </div>
      {error && <ErrorNote error={error} onRetry={() => refetch()} />}
      {!data && !error && <Skeleton lines={3} />}
      {data?.length === 0 && <p className="soft">{texts.byKey.none}</p>}
      <ul className="items trail">
        {groupActivity(data ?? [], LOADED)
          .slice(0, SHOWN)
          .map(({ event, count, isCut }) => (
            <li key={event.id}>
              <span>
                <EventSentence of={event} count={count} isCut={isCut} />
              </span>
              <Time at={event.timestamp} />
            </li>
          ))}
      </ul>
    </section>
  );
};

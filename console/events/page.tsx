import { useRef } from 'react';
import { useSearchParams } from 'wouter';
import { curlLine } from '../kit/api-call.tsx';
import { Button } from '../kit/button.tsx';
import { ErrorNote } from '../kit/error-note.tsx';
import { EmptyState } from '../kit/placeholder.tsx';
import { Time } from '../kit/time.tsx';
import { useCommands } from '../shell/commands.ts';
import { EventDrawer } from './event-drawer.tsx';
import { type Feed, useFeed } from './feed.ts';
import { FeedBar } from './feed-bar.tsx';
import { FeedTable } from './feed-table.tsx';
import { type Filter, isFiltered, readFilter } from './filter.ts';
import { FilterBar } from './filter-bar.tsx';

const Nothing = ({ filter }: { filter: Filter }) =>
  isFiltered(filter) ? (
    <EmptyState title="No event is like this">Nothing that was looked through fits all that is asked for.</EmptyState>
  ) : (
    <EmptyState title="Nothing has happened yet" curl={curlLine('POST', '/pets', { name: 'Rex', categoryId: 1 })}>
      Every change of animals, orders and categories is an event, and appears here as it happens. Add an animal, and
      watch.
    </EmptyState>
  );

/** Offers to continue a search that stopped at its row limit. */
const Further = ({ feed: { stoppedAt, lookFurther } }: { feed: Feed }) =>
  stoppedAt === undefined ? null : (
    <p className="row">
      <span>
        Looked back to what happened <Time at={stoppedAt} />.
      </span>
      <Button onClick={lookFurther}>Look further back</Button>
    </p>
  );

export const Page = () => {
  const [search, setSearch] = useSearchParams();
  const filter = readFilter(search);
  const feed = useFeed(filter);
  const place = useRef<HTMLDivElement>(null);
  const firstFilter = useRef<HTMLInputElement>(null);
  const opened = search.get('event');
  const showEvent = (id: string | undefined) =>
    setSearch((now) => {
      const next = new URLSearchParams(now);
      if (id === undefined) next.delete('event');
      else next.set('event', id);
      return next;
    });
  const showNew = () => {
    place.current?.querySelector('.table')?.scrollTo(0, 0);
    feed.goOn();
  };
  useCommands([
    { label: feed.isPaused ? 'Go on with the feed' : 'Pause the feed', run: feed.isPaused ? showNew : feed.pause },
    { label: 'Filter events', keys: '/', run: () => firstFilter.current?.focus() },
  ]);
  return (
    <>
      <div className="page-head">
        <h1>Events</h1>
        <FeedBar feed={feed} onShow={showNew} />
      </div>
      <FilterBar filter={filter} first={firstFilter} />
      {feed.error && <ErrorNote error={feed.error} onRetry={feed.retry} />}
      <div ref={place}>
        {!feed.error && (
          <FeedTable feed={feed} onOpen={({ id }) => showEvent(id)} empty={<Nothing filter={filter} />} />
        )}
      </div>
      <Further feed={feed} />
      {opened && (
        <EventDrawer
          key={opened}
          id={opened}
          known={feed.rows.find(({ id }) => id === opened)}
          onClose={() => showEvent(undefined)}
        />
      )}
    </>
  );
};

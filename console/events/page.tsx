import { Activity as ActivityIcon } from 'lucide-react';
import { useRef } from 'react';
import { useSearchParams } from 'wouter';
import { liveState } from '../data/live.ts';
import { useValue } from '../data/value.ts';
import { Button } from '../kit/button.tsx';
import { ErrorNote } from '../kit/error-note.tsx';
import { PageHead } from '../kit/page-head.tsx';
import { EmptyState } from '../kit/placeholder.tsx';
import { Time } from '../kit/time.tsx';
import { Updated } from '../kit/updated.tsx';
import { useCommands } from '../shell/commands.ts';
import { titles } from '../texts.ts';
import { EventDrawer } from './event-drawer.tsx';
import { type Feed, useFeed } from './feed.ts';
import { FeedBar } from './feed-bar.tsx';
import { FeedTable } from './feed-table.tsx';
import { type Filter, isFiltered, readFilter } from './filter.ts';
import { FilterBar } from './filter-bar.tsx';
import { texts } from './texts.ts';

const Nothing = ({ filter }: { filter: Filter }) =>
  isFiltered(filter) ? (
    <EmptyState title={texts.empty.filteredTitle}>{texts.empty.filteredText}</EmptyState>
  ) : (
    <EmptyState title={texts.empty.title} icon={ActivityIcon}>
      {texts.empty.text}
    </EmptyState>
  );

const Note = ({ at }: { at: number }) => {
  const isLive = useValue(liveState) === 'live';
  return (
    <>
      {texts.note}
      {!isLive && (
        <>
          {' '}
          · <Updated at={at} />
        </>
      )}
    </>
  );
};

const Further = ({ feed: { stoppedAt, lookFurther } }: { feed: Feed }) =>
  stoppedAt === undefined ? null : (
    <p className="row">
      <span>{texts.searchedTo(<Time at={stoppedAt} />)}</span>
      <Button onClick={lookFurther}>{texts.searchOlder}</Button>
    </p>
  );

export const Page = () => {
  const [search, setSearch] = useSearchParams();
  const filter = readFilter(search);
  const feed = useFeed(filter);
  const place = useRef<HTMLDivElement>(null);
  const firstFilter = useRef<HTMLInputElement>(null);
  const opened = search.get('event') ?? undefined;
  const close = () =>
    setSearch((now) => {
      const next = new URLSearchParams(now);
      next.delete('event');
      return next;
    });
  const showNew = () => {
    place.current?.querySelector('.table')?.scrollTo(0, 0);
    feed.goOn();
  };
  useCommands([
    { label: feed.isPaused ? texts.commands.resume : texts.commands.pause, run: feed.isPaused ? showNew : feed.pause },
    { label: texts.commands.filter, keys: '/', run: () => firstFilter.current?.focus() },
  ]);
  return (
    <>
      <PageHead title={titles.events} note={<Note at={feed.updatedAt} />}>
        <FeedBar feed={feed} onShow={showNew} />
      </PageHead>
      <FilterBar filter={filter} first={firstFilter} />
      {feed.error && <ErrorNote error={feed.error} onRetry={feed.retry} />}
      <div ref={place} className="event-table">
        {!feed.error && <FeedTable feed={feed} opened={opened} empty={<Nothing filter={filter} />} />}
      </div>
      <Further feed={feed} />
      {opened && (
        <EventDrawer
          key={opened}
          sequence={opened}
          known={feed.rows.find(({ sequence }) => String(sequence) === opened)}
          onClose={close}
        />
      )}
    </>
  );
};

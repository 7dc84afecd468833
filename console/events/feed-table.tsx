import type { ReactNode } from 'react';
import { useSearch } from 'wouter';
import type { Categories } from '../../cli/rows/category.ts';
import { useCategories } from '../categories/categories.tsx';
import type { LiveEvent } from '../data/live.ts';
import { Table } from '../kit/table/table.tsx';
import type { Column } from '../kit/table/table-head.tsx';
import { Time } from '../kit/time.tsx';
import { titles } from '../texts.ts';
import { changeWords } from './changes.tsx';
import type { Feed } from './feed.ts';
import { EventSentence } from './sentence.tsx';
import { idWords } from './subject.ts';
import { texts } from './texts.ts';

const hrefOf = (search: string, { sequence }: LiveEvent): string => {
  const next = new URLSearchParams(search);
  next.set('event', String(sequence));
  return `/events?${next}`;
};

const columnsFor = (categories: Categories, isFew: boolean): Column<LiveEvent>[] => {
  const { what, details, type, time } = texts.columns;
  const technical: Column<LiveEvent>[] = [
    {
      name: details,
      width: '1.6fr',
      isWide: true,
      show: (event) => <span className="soft">{changeWords(event, categories) || idWords(event)}</span>,
    },
    { name: type, width: '10rem', isWide: true, show: (event) => <code className="soft">{event.type}</code> },
  ];
  return [
    { name: what, width: '2.4fr', show: (event) => <EventSentence of={event} /> },
    ...(isFew ? [] : technical),
    { name: time, width: '6.5rem', isWide: true, show: ({ timestamp }) => <Time at={timestamp} /> },
  ];
};

type Props = { feed: Feed; opened: string | undefined; empty: ReactNode };

export const FeedTable = ({ feed, opened, empty }: Props) => {
  const search = useSearch();
  const columns = columnsFor(useCategories(), opened !== undefined);
  return (
    <div onScrollCapture={(event) => feed.scrolled((event.target as HTMLElement).scrollTop > 0)}>
      <Table
        label={titles.events}
        columns={columns}
        rows={feed.rows}
        idOf={({ id }) => id}
        hrefOf={(event) => hrefOf(search, event)}
        noteOf={({ type, timestamp }) => texts.phoneNote(<code>{type}</code>, <Time at={timestamp} />)}
        openId={feed.rows.find(({ sequence }) => String(sequence) === opened)?.id}
        onEnd={feed.more}
        isLoading={feed.isLoading}
        empty={empty}
      />
    </div>
  );
};

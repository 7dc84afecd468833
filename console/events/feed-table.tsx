import type { ReactNode } from 'react';
import { useSearch } from 'wouter';
import type { Categories } from '../../cli/rows/category.ts';
import { useCategories } from '../categories/categories.tsx';
import type { LiveEvent } from '../data/live.ts';
import { useActorName } from '../data/use-key-names.ts';
import { Table } from '../kit/table/table.tsx';
import type { Column } from '../kit/table/table-head.tsx';
import { Time } from '../kit/time.tsx';
import { titles } from '../texts.ts';
import { changeWords } from './changes.tsx';
import type { Feed } from './feed.ts';
import { subjectsOf } from './subject.ts';
import { texts } from './texts.ts';

const hrefOf = (search: string, { sequence }: LiveEvent): string => {
  const next = new URLSearchParams(search);
  next.set('event', String(sequence));
  return `/events?${next}`;
};

const columnsFor = (
  nameOf: ReturnType<typeof useActorName>,
  categories: Categories,
  isFew: boolean,
): Column<LiveEvent>[] => [
  {
    name: 'Subject',
    width: '2fr',
    show: (event) =>
      subjectsOf(event)
        .map(({ text }) => text)
        .join(', '),
  },
  { name: 'Type', width: '9.5rem', isWide: true, show: ({ type }) => <code>{type}</code> },
  ...(isFew
    ? []
    : ([
        {
          name: 'Change',
          width: '2fr',
          isWide: true,
          show: (event) => <span className="soft">{changeWords(event, categories)}</span>,
        },
      ] satisfies Column<LiveEvent>[])),
  { name: 'By', width: '1fr', isWide: true, show: ({ actor }) => nameOf(actor?.keyId) },
  { name: 'Time', width: '7rem', show: ({ timestamp }) => <Time at={timestamp} /> },
  ...(isFew
    ? []
    : ([
        { name: 'Sequence', width: '5rem', isWide: true, show: ({ sequence }) => String(sequence) },
      ] satisfies Column<LiveEvent>[])),
];

type Props = { feed: Feed; opened: string | undefined; empty: ReactNode };

export const FeedTable = ({ feed, opened, empty }: Props) => {
  const search = useSearch();
  const nameOf = useActorName();
  const columns = columnsFor(nameOf, useCategories(), opened !== undefined);
  return (
    <div onScrollCapture={(event) => feed.scrolled((event.target as HTMLElement).scrollTop > 0)}>
      <Table
        label={titles.events}
        columns={columns}
        rows={feed.rows}
        idOf={({ id }) => id}
        hrefOf={(event) => hrefOf(search, event)}
        noteOf={({ type, actor }) => texts.phoneNote(type, nameOf(actor?.keyId))}
        openId={feed.rows.find(({ sequence }) => String(sequence) === opened)?.id}
        onEnd={feed.more}
        isLoading={feed.isLoading}
        empty={empty}
      />
    </div>
  );
};

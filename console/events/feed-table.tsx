import { type ReactNode, useMemo } from 'react';
import { Link, useSearch } from 'wouter';
import type { LiveEvent } from '../data/live.ts';
import { useActorName } from '../data/use-key-names.ts';
import { Table } from '../kit/table/table.tsx';
import type { Column } from '../kit/table/table-head.tsx';
import { Time } from '../kit/time.tsx';
import { titles } from '../texts.ts';
import { changeWords } from './changes.tsx';
import type { Feed } from './feed.ts';
import { subjectsOf } from './subject.ts';

const hrefOf = (search: string, { sequence }: LiveEvent): string => {
  const next = new URLSearchParams(search);
  next.set('event', String(sequence));
  return `/events?${next}`;
};

const columnsFor = (search: string, nameOf: ReturnType<typeof useActorName>, isFew: boolean): Column<LiveEvent>[] => [
  {
    name: 'Subject',
    width: '2fr',
    show: (event) => (
      <Link className="row-link" href={hrefOf(search, event)} tabIndex={-1}>
        {subjectsOf(event)
          .map(({ text }) => text)
          .join(', ')}
      </Link>
    ),
  },
  { name: 'Type', width: '9.5rem', show: ({ type }) => <code>{type}</code> },
  ...(isFew
    ? []
    : ([
        {
          name: 'Change',
          width: '2fr',
          isWide: true,
          show: (event) => <span className="soft">{changeWords(event)}</span>,
        },
      ] satisfies Column<LiveEvent>[])),
  { name: 'By', width: '1fr', isWide: true, show: ({ actor }) => nameOf(actor?.keyId) },
  { name: 'Time', width: '5.5rem', show: ({ timestamp }) => <Time at={timestamp} /> },
  ...(isFew
    ? []
    : ([
        { name: 'Sequence', width: '5rem', isWide: true, show: ({ sequence }) => String(sequence) },
      ] satisfies Column<LiveEvent>[])),
];

type Props = { feed: Feed; isFew: boolean; onOpen: (event: LiveEvent) => void; empty: ReactNode };

export const FeedTable = ({ feed, isFew, onOpen, empty }: Props) => {
  const search = useSearch();
  const nameOf = useActorName();
  const columns = useMemo(() => columnsFor(search, nameOf, isFew), [search, nameOf, isFew]);
  return (
    <div onScrollCapture={(event) => feed.scrolled((event.target as HTMLElement).scrollTop > 0)}>
      <Table
        label={titles.events}
        columns={columns}
        rows={feed.rows}
        idOf={({ id }) => id}
        onOpen={onOpen}
        onEnd={feed.more}
        isLoading={feed.isLoading}
        empty={empty}
      />
    </div>
  );
};

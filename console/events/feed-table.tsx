import { type ReactNode, useMemo } from 'react';
import type { LiveEvent } from '../data/live.ts';
import { Table } from '../kit/table/table.tsx';
import type { Column } from '../kit/table/table-head.tsx';
import { Time } from '../kit/time.tsx';
import { useSession } from '../session/session.ts';
import { titles } from '../texts.ts';
import type { Feed } from './feed.ts';
import { subjectsOf } from './subject.ts';
import { texts } from './texts.ts';

const columnsFor = (me: string): Column<LiveEvent>[] => [
  { name: 'Time', width: '6rem', show: ({ timestamp }) => <Time at={timestamp} /> },
  { name: 'Type', width: '9.5rem', show: ({ type }) => <code>{type}</code> },
  {
    name: 'Subject',
    width: '2fr',
    show: (event) =>
      subjectsOf(event)
        .map(({ text }) => text)
        .join(', '),
  },
  {
    name: 'By',
    width: '1.5fr',
    isWide: true,
    show: ({ actor }) => {
      if (!actor) return texts.actor.service;
      return actor.keyId === me ? texts.actor.thisKey : <code>{actor.keyId}</code>;
    },
  },
  { name: 'Sequence', width: '6rem', isWide: true, show: ({ sequence }) => String(sequence) },
];

type Props = { feed: Feed; onOpen: (event: LiveEvent) => void; empty: ReactNode };

export const FeedTable = ({ feed, onOpen, empty }: Props) => {
  const { me } = useSession();
  const columns = useMemo(() => columnsFor(me.id), [me.id]);
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

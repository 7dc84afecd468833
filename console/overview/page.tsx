import { useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useEffect } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { COUNTS } from '../data/counts.ts';
import { Button } from '../kit/button.tsx';
import { PageHead } from '../kit/page-head.tsx';
import { Updated } from '../kit/updated.tsx';
import { useSession } from '../session/session.ts';
import { titles } from '../texts.ts';
import { Activity } from './activity.tsx';
import { Figures } from './figures.tsx';
import { Guide, useIsEmpty } from './guide.tsx';
import { Needs } from './needs-list.tsx';
import { Rehearsal } from './rehearsal.tsx';
import { Requests } from './requests.tsx';
import { Stock } from './stock.tsx';
import { texts } from './texts.ts';

const today = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long' });

const Note = () => {
  const updatedAt = useQueryClient().getQueryState(COUNTS)?.dataUpdatedAt ?? 0;
  return (
    <>
      {today.format()}
      {updatedAt > 0 && (
        <span className="wide">
          {' '}
          · <Updated at={updatedAt} />
        </span>
      )}
    </>
  );
};

export const Page = () => {
  const { can } = useSession();
  const [, go] = useLocation();
  const [search, setSearch] = useSearchParams();
  const isEmpty = useIsEmpty();
  const canStart = can('pets:read') && can('pets:write');
  const canOrder = can('orders:write') && can('orders:read') && can('pets:read');
  const isGuided = search.has('start') && canStart;
  useEffect(() => {
    if (isEmpty && canStart) setSearch({ start: '' }, { replace: true });
  }, [isEmpty, canStart, setSearch]);
  return (
    <>
      <PageHead title={titles.overview} note={<Note />}>
        {canStart && !isGuided && (
          <Button kind="quiet" className="wide" onClick={() => setSearch({ start: '' })}>
            {texts.guide.title}
          </Button>
        )}
        {canOrder && (
          <Button kind="primary" icon={Plus} onClick={() => go('/orders?place=')}>
            {texts.newOrder}
          </Button>
        )}
      </PageHead>
      {isGuided && isEmpty !== undefined && <Guide isEmpty={isEmpty} onClose={() => setSearch({})} />}
      <Figures />
      <div className="overview">
        <div className="stack">
          <Needs />
          <Requests />
        </div>
        {can('events:read') && <Activity />}
        <div className="stack">
          {can('orders:read') && <Stock />}
          <Rehearsal />
        </div>
      </div>
    </>
  );
};

import { Plus } from 'lucide-react';
import { useLocation, useSearchParams } from 'wouter';
import { useFreshAt } from '../data/freshness.ts';
import { useCounts } from '../data/use-counts.ts';
import { useWide } from '../data/use-width.ts';
import { useValue } from '../data/value.ts';
import { Button } from '../kit/button.tsx';
import { PageHead } from '../kit/page-head.tsx';
import { Updated } from '../kit/updated.tsx';
import { LatestOrders } from '../orders/latest-orders.tsx';
import { useSession } from '../session/session.ts';
import { common, titles } from '../texts.ts';
import { Activity } from './activity.tsx';
import { Figures } from './figures.tsx';
import { Guide, isClosed, useProgress } from './guide.tsx';
import { Needs } from './needs-list.tsx';
import { Rehearsal } from './rehearsal.tsx';
import { Sales } from './sales.tsx';
import { SampleNote } from './sample-note.tsx';
import { Stock } from './stock.tsx';
import { texts } from './texts.ts';

const today = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long' });

const Note = () => {
  const updatedAt = useFreshAt(useCounts().dataUpdatedAt);
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

/** A wide screen has a third column. */
const Panels = () => {
  const { can } = useSession();
  const isWide = useWide();
  const orders = can('orders:read') && <LatestOrders most={isWide ? 10 : 7} />;
  const stock = (
    <>
      {can('orders:read') && <Stock />}
      {isWide && orders}
      <Rehearsal />
    </>
  );
  return (
    <div className="overview">
      <div>
        <Needs />
        {can('pets:read') && <Sales isTall={isWide} />}
        {!isWide && orders}
      </div>
      <div>
        {can('events:read') && <Activity most={isWide ? 17 : 11} />}
        {!isWide && stock}
      </div>
      {isWide && <div>{stock}</div>}
    </div>
  );
};

export const Page = () => {
  const { can } = useSession();
  const [, go] = useLocation();
  const [search, setSearch] = useSearchParams();
  const progress = useProgress();
  const isDismissed = useValue(isClosed);
  const canOrder = can('orders:write') && can('orders:read') && can('pets:read');
  const isUnfinished = progress !== undefined && !(progress.hasPets && progress.hasOrders);
  const isGuided = search.has('start') || (isUnfinished && !isDismissed);
  return (
    <>
      <PageHead title={titles.overview} note={<Note />}>
        {progress && !isGuided && (
          <Button kind="quiet" className="wide" onClick={() => setSearch({ start: '' })}>
            {texts.guide.title}
          </Button>
        )}
        {canOrder && (
          <Button kind="primary" icon={Plus} onClick={() => go('/orders?place=')}>
            {common.newOrder}
          </Button>
        )}
      </PageHead>
      {progress?.hasPets && <SampleNote />}
      {isGuided && progress && (
        <Guide
          progress={progress}
          onClose={() => {
            isClosed.set(true);
            if (search.has('start')) setSearch({});
          }}
        />
      )}
      <Figures />
      <Panels />
    </>
  );
};

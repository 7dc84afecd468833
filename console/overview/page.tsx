import { useEffect } from 'react';
import { Link, useSearchParams } from 'wouter';
import { Button } from '../kit/button.tsx';
import { InventoryNumbers } from '../orders/inventory.tsx';
import { useSession } from '../session/session.ts';
import { common, titles } from '../texts.ts';
import { Guide, useIsEmpty } from './guide.tsx';
import { Needs } from './needs-list.tsx';
import { RecentEvents } from './recent-events.tsx';
import { Rehearsal } from './rehearsal.tsx';
import { Requests } from './requests.tsx';
import { texts } from './texts.ts';

export const Page = () => {
  const { can } = useSession();
  const [search, setSearch] = useSearchParams();
  const isEmpty = useIsEmpty();
  const canStart = can('pets:read') && can('pets:write');
  const isGuided = search.has('start') && canStart;
  useEffect(() => {
    if (isEmpty && canStart) setSearch({ start: '' }, { replace: true });
  }, [isEmpty, canStart, setSearch]);
  return (
    <>
      <header className="page-head">
        <h1>{titles.overview}</h1>
        {canStart && !isGuided && <Button onClick={() => setSearch({ start: '' })}>{texts.guide.title}</Button>}
      </header>
      {isGuided && isEmpty !== undefined && <Guide isEmpty={isEmpty} onClose={() => setSearch({})} />}
      <div className="overview">
        <Needs />
        <div className="stack">
          {can('orders:read') && (
            <section className="card" aria-label={common.inventory}>
              <h2>{common.inventory}</h2>
              <InventoryNumbers />
              {can('events:read') && <Link href="/orders#inventory">{texts.inventoryHistory}</Link>}
            </section>
          )}
          <Requests />
          <Rehearsal />
        </div>
        {can('events:read') && <RecentEvents />}
      </div>
    </>
  );
};

import { LayoutList, Plus, SquareKanban } from 'lucide-react';
import { useSearchParams } from 'wouter';
import { useFreshAt } from '../data/freshness.ts';
import { Button } from '../kit/button.tsx';
import { PageHead } from '../kit/page-head.tsx';
import { EmptyState } from '../kit/placeholder.tsx';
import { Updated } from '../kit/updated.tsx';
import { useSession } from '../session/session.ts';
import { useCommands } from '../shell/commands.ts';
import { common, titles } from '../texts.ts';
import { Board } from './board.tsx';
import { OrderDrawer } from './drawer.tsx';
import { readFilters } from './filters.ts';
import { useFoundOrders } from './find-orders.ts';
import { FilterBar, OrdersList } from './list.tsx';
import { useLiveOrders, useOrders } from './order-lists.ts';
import { PlaceOrder } from './place-order.tsx';
import { texts } from './texts.ts';

const VIEWS = { board: SquareKanban, list: LayoutList };
type View = keyof typeof VIEWS;

const ViewChoice = ({ view, onChange }: { view: View; onChange: (view: View) => void }) => (
  <fieldset className="segments">
    <legend className="unseen">{texts.view}</legend>
    {Object.entries(VIEWS).map(([one, Icon]) => (
      <label key={one}>
        <input type="radio" name="view" checked={view === one} onChange={() => onChange(one as View)} />
        <Icon className="icon s" />
        {texts.views[one as View]}
      </label>
    ))}
  </fieldset>
);

const Shortcuts = () => (
  <span className="push soft wide hint cut">{texts.keys(<kbd>a</kbd>, <kbd>d</kbd>, <kbd>c</kbd>)}</span>
);

const Empty = ({ onPlace }: { onPlace: (() => void) | undefined }) => (
  <EmptyState title={texts.empty.title} action={onPlace && <Button onClick={onPlace}>{texts.empty.place}</Button>}>
    {texts.empty.text}
  </EmptyState>
);

type ViewProps = { head: (freshAt: number) => React.ReactNode; empty: React.ReactNode; choice: React.ReactNode };

const Listed = ({ head, empty, choice }: ViewProps) => {
  const [search] = useSearchParams();
  const filters = readFilters(search);
  const found = useFoundOrders(filters);
  const freshAt = useFreshAt(found.updatedAt, found.pages);
  return (
    <>
      {head(freshAt)}
      <div className="row order-filters">
        {choice}
        <FilterBar filters={filters} />
      </div>
      <OrdersList filters={filters} found={found} empty={empty} />
    </>
  );
};

const Boarded = ({ head, empty, choice }: ViewProps) => {
  const { can } = useSession();
  const { updatedAt, pages } = useOrders('placed');
  const freshAt = useFreshAt(updatedAt, pages);
  return (
    <>
      {head(freshAt)}
      <div className="row order-filters">
        {choice}
        {can('orders:write') && <Shortcuts />}
      </div>
      <Board empty={empty} />
    </>
  );
};

export const Page = () => {
  const { can } = useSession();
  const [search, setSearch] = useSearchParams();
  const [opened, place] = [search.get('order'), search.get('place')];
  const view = search.get('view') === 'list' ? 'list' : 'board';
  const without = (name: string) =>
    setSearch((before) => {
      const next = new URLSearchParams(before);
      next.delete(name);
      return next;
    });
  const startPlacing = () =>
    setSearch((before) => {
      const next = new URLSearchParams(before);
      next.delete('order');
      next.set('place', '');
      return next;
    });
  const canPlace = can('orders:write') && can('pets:read');
  useLiveOrders();
  useCommands(canPlace ? [{ label: common.newOrder, keys: 'n', run: startPlacing }] : []);
  const choice = <ViewChoice view={view} onChange={(next) => setSearch(next === 'list' ? { view: 'list' } : {})} />;
  const empty = <Empty onPlace={canPlace ? startPlacing : undefined} />;
  const head = (freshAt: number) => (
    <PageHead title={titles.orders} note={<Updated at={freshAt} />}>
      {canPlace && (
        <Button kind="primary" icon={Plus} onClick={startPlacing} aria-keyshortcuts="n">
          {common.newOrder}
        </Button>
      )}
    </PageHead>
  );
  const View = view === 'list' ? Listed : Boarded;
  return (
    <>
      <View head={head} empty={empty} choice={choice} />
      {opened !== null && <OrderDrawer key={opened} id={opened} onClose={() => without('order')} />}
      {canPlace && place !== null && <PlaceOrder typed={place} onClose={() => without('place')} />}
    </>
  );
};

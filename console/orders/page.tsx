import { Plus } from 'lucide-react';
import { useSearchParams } from 'wouter';
import { curlLine } from '../kit/api-call.tsx';
import { Button } from '../kit/button.tsx';
import { EmptyState } from '../kit/placeholder.tsx';
import { useSession } from '../session/session.ts';
import { useCommands } from '../shell/commands.ts';
import { common, titles } from '../texts.ts';
import { Board } from './board.tsx';
import { OrderDrawer } from './drawer.tsx';
import { Inventory } from './inventory.tsx';
import { useLiveOrders } from './order-lists.ts';
import { PlaceOrder } from './place-order.tsx';
import { texts } from './texts.ts';

export const Page = () => {
  const { can } = useSession();
  const [search, setSearch] = useSearchParams();
  const [opened, place] = [search.get('order'), search.get('place')];
  const close = () => setSearch({});
  const canPlace = can('orders:write') && can('pets:read');
  useLiveOrders();
  useCommands(canPlace ? [{ label: common.placeOrder, keys: 'n', run: () => setSearch({ place: '' }) }] : []);
  return (
    <>
      <header className="page-head">
        <h1>{titles.orders}</h1>
        {canPlace && (
          <Button kind="primary" icon={Plus} onClick={() => setSearch({ place: '' })} aria-keyshortcuts="n">
            {texts.placeOrder}
          </Button>
        )}
      </header>
      <Board
        empty={
          <EmptyState
            title={texts.empty.title}
            action={canPlace && <Button onClick={() => setSearch({ place: '' })}>{texts.empty.place}</Button>}
            curl={curlLine('POST', '/store/orders', { petId: 17 })}
          >
            {texts.empty.text}
          </EmptyState>
        }
      />
      <Inventory />
      {opened !== null && <OrderDrawer key={opened} id={opened} onClose={close} />}
      {canPlace && place !== null && <PlaceOrder typed={place} onClose={close} />}
    </>
  );
};

import { useSearchParams } from 'wouter';
import { curlLine } from '../kit/api-call.tsx';
import { Button } from '../kit/button.tsx';
import { EmptyState } from '../kit/placeholder.tsx';
import { useSession } from '../session/session.ts';
import { useCommands } from '../shell/commands.ts';
import { Board } from './board.tsx';
import { OrderDrawer } from './drawer.tsx';
import { Inventory } from './inventory.tsx';
import { useLiveOrders } from './order-lists.ts';
import { PlaceOrder } from './place-order.tsx';

/** Orders by status, and the inventory. `?order=5` opens an order, `?place` opens the order form. */
export const Page = () => {
  const { can } = useSession();
  const [search, setSearch] = useSearchParams();
  const [opened, place] = [search.get('order'), search.get('place')];
  const close = () => setSearch({});
  const canPlace = can('orders:write') && can('pets:read');
  useLiveOrders();
  useCommands(canPlace ? [{ label: 'Place an order', keys: 'n', run: () => setSearch({ place: '' }) }] : []);
  return (
    <>
      <header className="page-head">
        <h1>Orders</h1>
        {canPlace && (
          <Button kind="primary" onClick={() => setSearch({ place: '' })} aria-keyshortcuts="n">
            + Place an order
          </Button>
        )}
      </header>
      <Board
        empty={
          <EmptyState
            title="No order yet"
            action={canPlace && <Button onClick={() => setSearch({ place: '' })}>Place the first order</Button>}
            curl={curlLine('POST', '/store/orders', { petId: 17 })}
          >
            An order holds an animal for somebody: it is placed, approved, and delivered. Then the animal is sold.
          </EmptyState>
        }
      />
      <Inventory />
      {opened !== null && <OrderDrawer key={opened} id={opened} onClose={close} />}
      {canPlace && place !== null && <PlaceOrder typed={place} onClose={close} />}
    </>
  );
};

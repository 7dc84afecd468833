import { useIsFetching, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { Order } from '../../../client/src/index.ts';
import { COUNTS } from '../../data/counts.ts';
import { StatusBadge } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { Countdown, Time } from '../../kit/time.tsx';
import { sayError } from '../../kit/toasts.tsx';
import { useSession } from '../../session/session.ts';
import { common, titles } from '../../texts.ts';
import { NEXT_STATUSES } from '../moves.ts';
import { openOrderOf } from '../open-orders.ts';
import { historyKey, OPEN_ORDERS, ordersKey, type PetVersion, petKey } from '../pet-cache.ts';
import { texts } from '../texts.ts';
import type { SavePet } from './pet-version.ts';

const MAX_ORDERS = 20;

export const usePetOrders = (id: string) => {
  const { petstore, can } = useSession();
  return useQuery({
    queryKey: ordersKey(id),
    queryFn: () => petstore.orders.list({ petId: BigInt(id), order: 'desc' }).toArray({ max: MAX_ORDERS }),
    enabled: can('orders:read'),
  });
};

type OrderMove = 'approve' | 'deliver' | 'cancel';
const ORDER_MOVES: Partial<Record<Order['status'], readonly OrderMove[]>> = {
  placed: ['approve', 'cancel'],
  approved: ['deliver', 'cancel'],
};

const useOrderMove = (id: string) => {
  const { petstore } = useSession();
  const queries = useQueryClient();
  return useMutation<unknown, Error, { order?: Order; move: OrderMove | 'place' }>({
    mutationFn: ({ order, move }) =>
      order && move !== 'place' ? petstore.orders[move](order.id) : petstore.orders.place({ petId: BigInt(id) }),
    onError: sayError,
    onSettled: () =>
      Promise.all(
        [ordersKey(id), petKey(id), historyKey(id), COUNTS, OPEN_ORDERS].map((queryKey) =>
          queries.invalidateQueries({ queryKey }),
        ),
      ),
  });
};

const OpenOrder = ({ order }: { order: Order }) => {
  const { can } = useSession();
  const move = useOrderMove(String(order.petId));
  return (
    <div className="row">
      <span>
        {texts.drawer.heldBy(
          <Link href={`/orders?order=${order.id}`}>{common.order(order.id)}</Link>,
          <StatusBadge status={order.status} />,
        )}
        {order.expiresAt && <> · {common.left(<Countdown until={order.expiresAt} />)}</>}
      </span>
      {can('orders:write') &&
        ORDER_MOVES[order.status]?.map((one) => (
          <Button key={one} isBusy={move.isPending} onClick={() => move.mutate({ order, move: one })}>
            {texts.drawer.moves[one]}
          </Button>
        ))}
    </div>
  );
};

type Props = { version: PetVersion; save: SavePet };

export const PetStatus = ({ version: { pet, etag }, save }: Props) => {
  const { can } = useSession();
  const id = String(pet.id);
  const orders = usePetOrders(id);
  const place = useOrderMove(id);
  const { status = 'available' } = pet;
  const open = openOrderOf(orders.data ?? []);
  // Offers no status until the orders are loaded, because the service refuses to change a pet with an open order.
  const isFree = !can('orders:read') || (orders.isSuccess && !open);
  // Closing an order also changes its pet. Until the new version is loaded, a change would be based on the old one.
  const isBeingRead = useIsFetching({ queryKey: petKey(id) }) > 0;
  return (
    <section className="stack" aria-label={common.status}>
      <div className="row">
        <StatusBadge status={status} />
        {isFree &&
          can('pets:write') &&
          NEXT_STATUSES[status].map((to) => (
            <Button
              key={to}
              isBusy={save.isPending}
              disabled={isBeingRead}
              onClick={() => save.mutate({ change: { status: to }, etag })}
            >
              {texts.drawer.markAs(to)}
            </Button>
          ))}
        {status === 'available' && isFree && can('orders:write') && (
          <Button isBusy={place.isPending} onClick={() => place.mutate({ move: 'place' })}>
            {common.placeOrder}
          </Button>
        )}
      </div>
      {open && <OpenOrder order={open} />}
    </section>
  );
};

export const PetOrders = ({ id }: { id: string }) => {
  const { data = [] } = usePetOrders(id);
  if (data.length === 0) return null;
  return (
    <section>
      <h3>{titles.orders}</h3>
      <ul className="unmarked">
        {data.map((order) => (
          <li key={String(order.id)} className="row">
            <Link href={`/orders?order=${order.id}`}>{common.order(order.id)}</Link>
            <StatusBadge status={order.status} />
            <span className="soft">{texts.drawer.placed(<Time at={order.placedAt} />)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
};

import { useIsFetching, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { Order, PetStatus as PetStatusName } from '../../../client/src/index.ts';
import { COUNTS } from '../../data/counts.ts';
import { StatusBadge } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { sayError } from '../../kit/overlay/toasts.tsx';
import { withUndo } from '../../kit/overlay/undo.ts';
import { isolated } from '../../kit/text.ts';
import { Countdown, Time } from '../../kit/time.tsx';
import { useSession } from '../../session/session.ts';
import { common, titles } from '../../texts.ts';
import { NEXT_STATUSES } from '../moves.ts';
import { openOrderOf } from '../open-orders.ts';
import { historyKey, OPEN_ORDERS, ordersKey, type PetVersion, petKey, putPets } from '../pet-cache.ts';
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
  return useMutation<unknown, Error, { order?: Order; move: OrderMove | 'place' }>({
    mutationFn: ({ order, move }) =>
      order && move !== 'place' ? petstore.orders[move](order.id) : petstore.orders.place({ petId: BigInt(id) }),
    onError: sayError,
    onSettled: useRefreshPet(id),
  });
};

const useRefreshPet = (id: string) => {
  const queries = useQueryClient();
  return () =>
    Promise.all(
      [ordersKey(id), petKey(id), historyKey(id), COUNTS, OPEN_ORDERS].map((queryKey) =>
        queries.invalidateQueries({ queryKey }),
      ),
    );
};

const OpenOrder = ({ order }: { order: Order }) => {
  const session = useSession();
  const { can } = session;
  const id = String(order.petId);
  const queries = useQueryClient();
  const move = useOrderMove(id);
  const refresh = useRefreshPet(id);
  const deliverSoon = () => {
    const show = (status: Order['status']) =>
      queries.setQueryData<Order[]>(ordersKey(id), (orders) =>
        orders?.map((one) => (one.id === order.id ? { ...one, status } : one)),
      );
    show('delivered');
    withUndo(session, {
      text: texts.drawer.delivered(order.id),
      send: (petstore) => petstore.orders.deliver(order.id),
      revert: () => void show(order.status),
      onSettled: () => void refresh(),
    });
  };
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
          <Button
            key={one}
            isBusy={move.isPending}
            onClick={() => (one === 'deliver' ? deliverSoon() : move.mutate({ order, move: one }))}
          >
            {texts.drawer.moves[one]}
          </Button>
        ))}
    </div>
  );
};

/** A sold pet stays sold, so the request waits until the user can no longer undo it. */
const useSellSoon = (pet: PetVersion['pet'], etag: string | undefined) => {
  const session = useSession();
  const queries = useQueryClient();
  const id = String(pet.id);
  const refresh = useRefreshPet(id);
  const show = (status: PetStatusName) => {
    const next = { ...pet, status };
    queries.setQueryData<PetVersion | null>(petKey(id), (kept) => kept && { ...kept, pet: next });
    putPets(queries, new Map([[id, next]]));
  };
  return () => {
    show('sold');
    withUndo(session, {
      text: texts.drawer.sold(isolated(pet.name)),
      send: (petstore) => petstore.pets.update(pet.id, { status: 'sold' }, { ifMatch: etag }),
      revert: () => show(pet.status ?? 'available'),
      onSettled: () => void refresh(),
    });
  };
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
  const sellSoon = useSellSoon(pet, etag);
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
              onClick={() => (to === 'sold' ? sellSoon() : save.mutate({ change: { status: to }, etag }))}
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

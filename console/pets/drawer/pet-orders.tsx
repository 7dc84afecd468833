import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { Link } from 'wouter';
import type { Order, Pet, PetStatus } from '../../../client/src/index.ts';
import { COUNTS } from '../../data/counts.ts';
import { createValue } from '../../data/value.ts';
import { StatusBadge } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { sayError } from '../../kit/overlay/toasts.tsx';
import { withUndo } from '../../kit/overlay/undo.ts';
import { Countdown, Time, useNow } from '../../kit/time.tsx';
import { useSession } from '../../session/session.ts';
import { common, titles } from '../../texts.ts';
import { historyKey, OPEN_ORDERS, ordersKey, type PetVersion, petKey, putPets } from '../pet-cache.ts';
import { texts } from '../texts.ts';

const MAX_ORDERS = 20;

export const usePetOrders = (id: string) => {
  const { petstore, can } = useSession();
  return useQuery({
    queryKey: ordersKey(id),
    queryFn: () => petstore.orders.list({ petId: BigInt(id), order: 'desc' }).toArray({ max: MAX_ORDERS }),
    enabled: can('orders:read'),
  });
};

export const useRefreshPet = (id: string) => {
  const queries = useQueryClient();
  return () =>
    Promise.all(
      [ordersKey(id), petKey(id), historyKey(id), COUNTS, OPEN_ORDERS].map((queryKey) =>
        queries.invalidateQueries({ queryKey }),
      ),
    );
};

export const useShowStatus = (pet: Pick<Pet, 'id'>) => {
  const queries = useQueryClient();
  const id = String(pet.id);
  return (status: PetStatus) =>
    queries.setQueryData<PetVersion | null>(petKey(id), (kept) => {
      if (!kept) return kept;
      const next = { ...kept.pet, status };
      putPets(queries, new Map([[id, next]]));
      return { ...kept, pet: next };
    });
};

/** Pets whose order looks closed on the page, although the service has not closed it yet. */
export const settling = createValue<ReadonlySet<string>>(new Set());
const settle = (id: string, isSettling: boolean): void => {
  const others = [...settling.get()].filter((one) => one !== id);
  settling.set(new Set(isSettling ? [...others, id] : others));
};

type OrderMove = 'approve' | 'deliver' | 'cancel';
const ORDER_MOVES: Partial<Record<Order['status'], readonly OrderMove[]>> = {
  placed: ['approve', 'cancel'],
  approved: ['deliver', 'cancel'],
};
const CLOSED = {
  deliver: { order: 'delivered', pet: 'sold' },
  cancel: { order: 'cancelled', pet: 'available' },
} as const;

export const useOrderMove = (id: string) => {
  const { petstore } = useSession();
  return useMutation<unknown, Error, Order | undefined>({
    mutationFn: (order) => (order ? petstore.orders.approve(order.id) : petstore.orders.place({ petId: BigInt(id) })),
    onError: sayError,
    onSettled: useRefreshPet(id),
  });
};

/** A closed order cannot be reopened, so the request is sent only when the time to undo has passed. */
const useCloseSoon = (order: Order) => {
  const session = useSession();
  const queries = useQueryClient();
  const id = String(order.petId);
  const refresh = useRefreshPet(id);
  const showPet = useShowStatus({ id: order.petId });
  const showOrder = (status: Order['status']) =>
    queries.setQueryData<Order[]>(ordersKey(id), (orders) =>
      orders?.map((one) => (one.id === order.id ? { ...one, status } : one)),
    );
  return (move: keyof typeof CLOSED) => {
    settle(id, true);
    showOrder(CLOSED[move].order);
    showPet(CLOSED[move].pet);
    withUndo(session, {
      text: texts.drawer.closed[move](order.id),
      send: (petstore) => petstore.orders[move](order.id),
      revert: () => {
        settle(id, false);
        showOrder(order.status);
        showPet('pending');
      },
      onSettled: () => {
        settle(id, false);
        void refresh();
      },
    });
  };
};

const SOON_MS = 10 * 60_000;

const Left = ({ placedAt, expiresAt }: { placedAt: string; expiresAt: string }) => {
  const now = useNow();
  const [start, end] = [Date.parse(placedAt), Date.parse(expiresAt)];
  const isSoon = end - now < SOON_MS;
  return (
    <>
      <span className={isSoon ? 'push soon' : 'push'}>{common.left(<Countdown until={expiresAt} />)}</span>
      <meter
        className={isSoon ? 'bad' : ''}
        aria-label={texts.drawer.timeLeft}
        min={0}
        max={end - start}
        value={Math.max(0, end - now)}
      />
    </>
  );
};

export const OpenOrder = ({ order }: { order: Order }) => {
  const { can } = useSession();
  const move = useOrderMove(String(order.petId));
  const closeSoon = useCloseSoon(order);
  const { id, status, placedAt, expiresAt } = order;
  return (
    <div className="held">
      <div className="row">
        <Link href={`/orders?order=${id}`}>{texts.drawer.heldBy(id)}</Link>
        {!expiresAt && <StatusBadge status={status} />}
        {expiresAt && <Left placedAt={placedAt} expiresAt={expiresAt} />}
      </div>
      <span className="soft">{texts.drawer.placed(<Time at={placedAt} />)}</span>
      {can('orders:write') && (
        <div className="row">
          {ORDER_MOVES[status]?.map((one) => (
            <Button
              key={one}
              kind={one === 'cancel' ? 'plain' : 'tint'}
              className={one === 'cancel' ? '' : 'grow'}
              {...(one === 'cancel' ? {} : { icon: Check })}
              isBusy={move.isPending}
              onClick={() => (one === 'approve' ? move.mutate(order) : closeSoon(one))}
            >
              {texts.drawer.moves[one]}
            </Button>
          ))}
        </div>
      )}
    </div>
  );
};

export const PetOrders = ({ id }: { id: string }) => {
  const { data = [] } = usePetOrders(id);
  if (data.length === 0) return null;
  return (
    <section>
      <h3>{titles.orders}</h3>
      <ul className="card orders">
        {data.map((order) => (
          <li key={String(order.id)} className="row">
            <Link href={`/orders?order=${order.id}`}>{texts.drawer.order(order.id)}</Link>
            <StatusBadge status={order.status} />
            <span className="push soft">
              <Time at={order.placedAt} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
};

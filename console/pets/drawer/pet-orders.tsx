import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Check, Truck } from 'lucide-react';
import { Link } from 'wouter';
import type { Order } from '../../../client/src/index.ts';
import { StatusBadge } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { ifConnected, sayError } from '../../kit/overlay/toasts.tsx';
import { onOneTap } from '../../kit/tap.ts';
import { Countdown, Time, useNow } from '../../kit/time.tsx';
import { useCloseSoon } from '../../orders/close-order.ts';
import { useSession } from '../../session/session.ts';
import { common, titles } from '../../texts.ts';
import { ordersKey, refreshPet } from '../pet-cache.ts';
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

type OrderMove = 'approve' | 'deliver' | 'cancel';
const ORDER_MOVES: Partial<Record<Order['status'], readonly OrderMove[]>> = {
  placed: ['approve', 'cancel'],
  approved: ['deliver', 'cancel'],
};
const ICONS = { approve: { icon: Check }, deliver: { icon: Truck }, cancel: {} };

export const useOrderMove = (id: string) => {
  const { petstore } = useSession();
  const queries = useQueryClient();
  return useMutation<unknown, Error, Order | undefined>({
    mutationFn: (order) => (order ? petstore.orders.approve(order.id) : petstore.orders.place({ petId: BigInt(id) })),
    onError: sayError,
    onSettled: () => refreshPet(queries, id),
  });
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
        className={isSoon ? 'bad' : 'calm'}
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
  const closeSoon = useCloseSoon();
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
              {...ICONS[one]}
              isBusy={move.isPending}
              onClick={onOneTap(() =>
                ifConnected(() => (one === 'approve' ? move.mutate(order) : closeSoon(order, one))),
              )}
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

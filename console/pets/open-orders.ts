import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Order } from '../../client/src/index.ts';
import { useEvents } from '../data/live.ts';
import { useSession } from '../session/session.ts';
import { OPEN_ORDERS, type OpenOrders, ordersKey } from './pet-cache.ts';

/** Maximum number of orders to load per status. A store may have many more, and each page costs a request. */
const MOST = 500;

const ORDER_TYPES = ['order.placed', 'order.approved', 'order.delivered', 'order.cancelled', 'order.expired'] as const;

export const isOpen = ({ status }: Order): boolean => status === 'placed' || status === 'approved';

export const openOrderOf = (orders: readonly Order[]): Order | undefined => orders.find(isOpen);

export const useOpenOrders = (isShown: boolean): OpenOrders | undefined => {
  const { petstore, can } = useSession();
  const queries = useQueryClient();
  const query = useQuery({
    queryKey: OPEN_ORDERS,
    queryFn: async () => {
      const ask = (status: 'placed' | 'approved') =>
        petstore.orders.list({ status, order: 'desc' }).toArray({ max: MOST });
      const [placed, approved] = [await ask('placed'), await ask('approved')];
      const byPet = new Map([...placed, ...approved].map((order) => [String(order.petId), order]));
      return { byPet, hasOlder: Math.max(placed.length, approved.length) >= MOST };
    },
    enabled: isShown && can('orders:read'),
  });
  useEvents(ORDER_TYPES, ({ data }) => {
    const { petId } = data.object as Order;
    // Without `cancelRefetch: false`, each event would make React Query cancel a running request and start it again.
    for (const queryKey of [OPEN_ORDERS, ordersKey(String(petId))]) {
      void queries.invalidateQueries({ queryKey }, { cancelRefetch: false });
    }
  });
  return query.data;
};

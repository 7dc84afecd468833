import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { EventType, OrderStatus } from '../../client/src/index.ts';
import { useList } from '../data/list.ts';
import { type LiveEvent, liveState, useEvents } from '../data/live.ts';
import { useValue } from '../data/value.ts';
import { nowAndWhenRead } from '../data/when-read.ts';
import { useNow } from '../kit/time.tsx';
import { isOpen } from '../pets/open-orders.ts';
import { OPEN_ORDERS, type OpenOrders, openKey, ordersKey } from '../pets/pet-cache.ts';
import { useSession } from '../session/session.ts';
import type { OrderRow } from './moves.ts';
import { mergeNewest, type OrderPages, withOrder } from './order-pages.ts';
import { keepPet } from './pet.ts';

const IS_ASCENDING: Record<OrderStatus, boolean> = {
  placed: true,
  approved: false,
  delivered: false,
  cancelled: false,
  expired: false,
};

const STATUSES = Object.keys(IS_ASCENDING) as OrderStatus[];

const LISTS = ['orders', 'list'] as const;
/**
 * A query key that begins with `ALL` continues with the list's filters: the status, the earliest time and the latest
 * time. Each of these may be empty.
 */
export const ALL = ['orders', 'all'] as const;
/** The first part of the query key for orders found by a search. */
export const FOUND = ['orders', 'found'] as const;
const listKey = (status: OrderStatus) => [...LISTS, status] as const;
export const orderKey = (id: OrderRow['id'] | string) => ['orders', 'one', String(id)] as const;

export type OrderList = ReturnType<typeof useOrders>;

export const useOrders = (status: OrderStatus) => {
  const { petstore } = useSession();
  return useList(listKey(status), (query) =>
    petstore.orders.list({ status, order: IS_ASCENDING[status] ? 'asc' : 'desc', ...query }),
  );
};

export const useClosedOrders = (): OrderList => {
  const [cancelled, expired] = [useOrders('cancelled'), useOrders('expired')];
  const known = ({ rows, more, isLoading }: OrderList) => ({ rows, hasMore: more !== undefined || isLoading });
  const mores = [cancelled.more, expired.more].filter((more) => more !== undefined);
  return {
    rows: mergeNewest(known(cancelled), known(expired)),
    isLoading: cancelled.isLoading || expired.isLoading,
    updatedAt: Math.min(cancelled.updatedAt, expired.updatedAt),
    pages: Math.max(cancelled.pages, expired.pages),
    error: cancelled.error ?? expired.error,
    retry: cancelled.error ? cancelled.retry : expired.retry,
    more:
      mores.length > 0
        ? () => {
            for (const more of mores) more();
          }
        : undefined,
  };
};

const keptOrders = (queries: QueryClient, id: OrderRow['id']): OrderRow[] => {
  const listed = STATUSES.flatMap((status) => queries.getQueryData<OrderPages>(listKey(status))?.pages ?? [])
    .flatMap(({ items }) => items)
    .filter((order) => order.id === id);
  return [...listed, queries.getQueryData<OrderRow>(orderKey(id)) ?? []].flat();
};

const hasDate = ({ placedAt }: OrderRow, from: unknown, to: unknown): boolean =>
  (!from || placedAt >= String(from)) && (!to || placedAt < String(to));

/** Removes an order from each list of open orders where it no longer belongs. Orders are added only by a fetch. */
const showInOpenOrders = (queries: QueryClient, order: OrderRow): void => {
  for (const status of ['placed', 'approved'] as const) {
    if (status === order.status) continue;
    queries.setQueryData<OrderRow[]>(openKey(status), (orders) => orders?.filter(({ id }) => id !== order.id));
  }
  if (isOpen(order)) return;
  queries.setQueryData<OpenOrders>(OPEN_ORDERS, (open) => {
    if (open?.byPet.get(String(order.petId))?.id !== order.id) return open;
    return { ...open, byPet: new Map([...open.byPet].filter(([, { id }]) => id !== order.id)) };
  });
};

export const showOrder = (queries: QueryClient, order: OrderRow): void => {
  if (keptOrders(queries, order.id).some(({ updatedAt }) => updatedAt > order.updatedAt)) return;
  for (const status of STATUSES) {
    const place = { belongs: status === order.status, isAscending: IS_ASCENDING[status] };
    queries.setQueryData<OrderPages>(listKey(status), (data) => data && withOrder(data, order, place));
  }
  for (const [key, data] of queries.getQueriesData<OrderPages>({ queryKey: ALL })) {
    const [, , status, from, to] = key;
    const belongs = (status === '' || status === order.status) && hasDate(order, from, to);
    if (data) queries.setQueryData(key, withOrder(data, order, { belongs, isAscending: false }));
  }
  queries.setQueryData<OrderRow>(orderKey(order.id), (kept) => kept && order);
  const replace = (orders: OrderRow[] | undefined) => orders?.map((one) => (one.id === order.id ? order : one));
  for (const queryKey of [FOUND, ordersKey(String(order.petId))]) {
    queries.setQueriesData<OrderRow[]>({ queryKey }, replace);
  }
  showInOpenOrders(queries, order);
};

export const putOrder = (queries: QueryClient, order: OrderRow): void =>
  nowAndWhenRead(queries, ['orders'], () => showOrder(queries, order));

export const ORDER_EVENTS: readonly EventType[] = [
  'order.placed',
  'order.approved',
  'order.delivered',
  'order.cancelled',
  'order.expired',
];
const PET_EVENTS: readonly EventType[] = ['pet.updated', 'pet.status_changed', 'pet.deleted'];

const isOrder = (object: LiveEvent['data']['object']): object is OrderRow => 'petId' in object;

const REFRESH_MS = 5000;

/** Live events report expired orders, so the console polls for them only while it receives no live events. */
export const useEndedHolds = (placed: readonly OrderRow[]): void => {
  const queries = useQueryClient();
  const now = useNow(REFRESH_MS);
  const isReported = useValue(liveState) === 'live';
  const hasEnded = placed.some(({ expiresAt }) => expiresAt !== null && Date.parse(expiresAt) <= now);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `now` reruns the effect until the expired orders are gone.
  useEffect(() => {
    if (!hasEnded || isReported) return;
    for (const queryKey of [['orders'], ['pets', 'row']]) void queries.invalidateQueries({ queryKey });
  }, [hasEnded, isReported, now, queries]);
};

export const useLiveOrders = (): void => {
  const queries = useQueryClient();
  useEvents(ORDER_EVENTS, ({ data: { object } }) => {
    if (isOrder(object)) putOrder(queries, object);
  });
  useEvents(PET_EVENTS, ({ type, data: { object } }) => {
    if ('categoryId' in object) keepPet(queries, object, type === 'pet.deleted');
  });
};

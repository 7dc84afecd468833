import { useQuery } from '@tanstack/react-query';
import { type Int64, type OrderStatus, type Petstore, PetstoreError } from '../../client/src/index.ts';
import { useList } from '../data/list.ts';
import { useRefresh } from '../data/refresh.ts';
import { useNow } from '../kit/time.tsx';
import { useSession } from '../session/session.ts';
import { type Filters, isIn, rangeOf } from './filters.ts';
import type { OrderRow } from './moves.ts';
import { ALL, FOUND, ORDER_EVENTS } from './order-lists.ts';

/** A search by name loads the orders of at most this many pets, because each pet needs a separate request. */
const MAX_PETS = 20;
const MAX_ORDERS = 100;

const findOrder = async (petstore: Petstore, id: Int64): Promise<OrderRow[]> => {
  try {
    return [await petstore.orders.get(id)];
  } catch (error) {
    if (error instanceof PetstoreError && error.status === 404) return [];
    throw error;
  }
};

const ordersOf = async (petstore: Petstore, petId: Int64): Promise<OrderRow[]> =>
  (await petstore.orders.list({ petId, order: 'desc', limit: MAX_ORDERS }).page()).items;

export const findOrders = async (petstore: Petstore, typed: string, canReadPets: boolean): Promise<OrderRow[]> => {
  if (/^\d{1,18}$/.test(typed)) {
    const id = BigInt(typed);
    const [own, others] = await Promise.all([findOrder(petstore, id), ordersOf(petstore, id)]);
    return [...own, ...others.filter((order) => order.id !== own[0]?.id)];
  }
  if (!canReadPets) return [];
  const pets = (await petstore.pets.list({ search: typed, limit: MAX_PETS }).page()).items;
  const found = await Promise.all(pets.map(({ id }) => ordersOf(petstore, id)));
  return found.flat().sort((one, other) => (one.id < other.id ? 1 : -1));
};

const instantOf = (ms: number): string | undefined => (Number.isFinite(ms) ? new Date(ms).toISOString() : undefined);

const allKey = (status: OrderStatus | undefined, from: string | undefined, to: string | undefined) =>
  [...ALL, status ?? '', from ?? '', to ?? ''] as const;

/** If the search text is a number, it is the id of an order or a pet. Any other text is a pet's name. */
export const useFoundOrders = (filters: Filters) => {
  const { petstore, can } = useSession();
  const { status } = filters;
  const typed = filters.q.trim();
  useRefresh(ORDER_EVENTS, FOUND);
  const range = rangeOf(filters, useNow(60_000));
  const [placedFrom, placedTo] = [instantOf(range.start), instantOf(range.end)];
  const list = useList(
    allKey(status, placedFrom, placedTo),
    (query) => petstore.orders.list({ order: 'desc', status, placedFrom, placedTo, ...query }),
    { isEnabled: typed === '' },
  );
  const found = useQuery({
    queryKey: [...FOUND, typed],
    queryFn: () => findOrders(petstore, typed, can('pets:read')),
    enabled: typed !== '',
    placeholderData: (before) => before,
  });
  const isListed = typed === '';
  const matching = (found.data ?? []).filter((order) => (!status || order.status === status) && isIn(range, order));
  return {
    rows: isListed ? list.rows : matching,
    more: isListed ? list.more : undefined,
    isLoading: isListed ? list.isLoading : found.isPending,
    error: isListed ? list.error : found.error,
    retry: isListed ? list.retry : () => found.refetch(),
    updatedAt: isListed ? list.updatedAt : found.dataUpdatedAt,
    pages: isListed ? list.pages : 1,
  };
};

import { useQueries, useQuery } from '@tanstack/react-query';
import type { Int64, Usage } from '../../client/src/index.ts';
import { useRefresh } from '../data/refresh.ts';
import { useKeys } from '../data/use-key-names.ts';
import { isolated } from '../kit/text.ts';
import { openKey } from '../pets/pet-cache.ts';
import { ROOT_URL, useSession } from '../session/session.ts';
import { HEALTH, latestQuery } from '../webhooks/webhook-cache.ts';
import { lastDays } from './days.ts';
import { type Host, readHost } from './host.ts';
import type { WatchedWebhook } from './needs.ts';

/**
 * The overview loads the deliveries of only some webhooks and the usage of only some keys, because each of them costs a
 * request.
 */
const MAX_WEBHOOKS = 5;
const MAX_KEYS = 10;
const DAY_MS = 86_400_000;

/** The service's maximum page size. */
export const MOST = 100;

/** The service's days begin at midnight UTC, not at the reader's midnight, so the console requests hourly counts. */
export const useEventCounts = () => {
  const { petstore, can } = useSession();
  useRefresh(undefined, ['counts']);
  return useQuery({
    queryKey: ['counts'],
    queryFn: ({ signal }) => {
      const from = new Date(lastDays(Date.now())[0] ?? 0).toISOString();
      return petstore.events.count({ from, by: 'hour' }, { signal }).then((counts) => counts);
    },
    enabled: can('pets:read'),
  });
};

const ORDER_EVENTS = ['order.placed', 'order.approved', 'order.delivered', 'order.cancelled', 'order.expired'] as const;

export const useOpenOrdersRefresh = (): void => {
  useRefresh(ORDER_EVENTS, openKey('placed'));
  useRefresh(ORDER_EVENTS, openKey('approved'));
};

export const useOpenOrders = (status: 'placed' | 'approved') => {
  const { petstore, can } = useSession();
  return useQuery({
    queryKey: openKey(status),
    queryFn: async ({ signal }) => (await petstore.orders.list({ status, limit: MOST }, { signal }).page()).items,
    enabled: can('orders:read'),
  });
};

/** Orders contain only the ids of their pets. The names of all pets on screen are fetched with one request. */
export const usePetNames = (petIds: readonly Int64[]): ReadonlyMap<string, string> => {
  const { petstore, can } = useSession();
  const ids = [...new Set(petIds)].sort().slice(0, MOST);
  const { data } = useQuery({
    queryKey: ['pets', 'names', ids.join()],
    queryFn: async () => (await petstore.pets.list({ ids, limit: MOST }).page()).items,
    enabled: can('pets:read') && ids.length > 0,
    placeholderData: (before) => before,
  });
  return new Map(data?.map(({ id, name }) => [String(id), isolated(name)]));
};

export const useWebhooks = () => {
  const { petstore, can } = useSession();
  const list = useQuery({
    queryKey: ['webhooks', 'overview'],
    queryFn: async () => (await petstore.webhooks.list({ limit: 100 }).page()).items,
    enabled: can('webhooks:write'),
    refetchInterval: 60_000,
  });
  useRefresh(undefined, HEALTH);
  const webhooks = list.data ?? [];
  const asked = webhooks.filter(({ enabled }) => enabled).slice(0, MAX_WEBHOOKS);
  const latest = useQueries({ queries: asked.map(({ id }) => latestQuery(petstore, id)) });
  return {
    data: webhooks.map((webhook): WatchedWebhook => ({ webhook, latest: latest[asked.indexOf(webhook)]?.data ?? [] })),
    error: [list, ...latest].find(({ error }) => error)?.error,
    isLoading: [list, ...latest].some(({ isLoading }) => isLoading),
  };
};

/**
 * Returns the usage of the user's own key and, for operators, of other keys that were used in the last 24 hours.
 * `isCut` is true if some of these other keys are left out.
 */
export const useUsages = () => {
  const { petstore, can, me } = useSession();
  const keys = useKeys();
  const isOperator = can('keys:write') && can('ops:read');
  const since = new Date(Date.now() - DAY_MS).toISOString();
  const used = (keys.data ?? [])
    .filter(({ id, lastUsedAt }) => id !== me.id && lastUsedAt !== null && lastUsedAt > since)
    .sort((a, b) => (String(a.lastUsedAt) < String(b.lastUsedAt) ? 1 : -1))
    .map(({ id }) => id);
  const asked = used.slice(0, MAX_KEYS - 1);
  const query = useQuery({
    queryKey: ['usage', 'overview', ...asked],
    queryFn: (): Promise<Usage[]> => Promise.all([petstore.usage.get(), ...asked.map((id) => petstore.keys.usage(id))]),
    enabled: !isOperator || !keys.isPending,
    refetchInterval: 60_000,
    placeholderData: (before) => before,
  });
  return { ...query, isCut: used.length > asked.length, isOwn: !isOperator };
};

export const useDeprecations = () => {
  const { petstore, can } = useSession();
  return useQuery({
    queryKey: ['deprecations'],
    queryFn: () => petstore.deprecations.list().then((list) => list),
    enabled: can('ops:read'),
    staleTime: 60_000,
  });
};

/** `/metrics` is not an API operation, so the petstore client has no method for it. */
export const useHost = () => {
  const { secret, can } = useSession();
  return useQuery({
    queryKey: ['host'],
    queryFn: async ({ signal }): Promise<Host | null> => {
      const answer = await fetch(`${ROOT_URL}/metrics`, { headers: { Authorization: `Bearer ${secret}` }, signal });
      return answer.ok ? readHost(await answer.text()) : null;
    },
    enabled: can('ops:read'),
    refetchInterval: 60_000,
  });
};

import { useQuery } from '@tanstack/react-query';
import type { Usage } from '../../client/src/index.ts';
import { useSession } from '../session/session.ts';
import type { WatchedWebhook } from './needs.ts';

/** Maximum number of webhooks and keys to check. Each of them costs a request, and their own pages show all of them. */
const MAX_WEBHOOKS = 5;
const MAX_KEYS = 5;
const LATEST_DELIVERIES = 5;
const MAX_ORDERS = 20;

export const useOldestOrders = () => {
  const { petstore, can } = useSession();
  return useQuery({
    queryKey: ['orders', 'oldest'],
    queryFn: async () => (await petstore.orders.list({ status: 'placed', limit: MAX_ORDERS }).page()).items,
    enabled: can('orders:read'),
  });
};

export const useWebhooks = () => {
  const { petstore, can } = useSession();
  return useQuery({
    queryKey: ['webhooks', 'overview'],
    queryFn: async (): Promise<WatchedWebhook[]> => {
      const { items } = await petstore.webhooks.list({ limit: 100 }).page();
      const asked = new Set(items.filter(({ enabled }) => enabled).slice(0, MAX_WEBHOOKS));
      return Promise.all(
        items.map(async (webhook) => {
          if (!asked.has(webhook)) return { webhook, latest: [] };
          const query = { order: 'desc', limit: LATEST_DELIVERIES } as const;
          return { webhook, latest: (await petstore.webhooks.deliveries(webhook.id, query).page()).items };
        }),
      );
    },
    enabled: can('webhooks:write'),
    staleTime: 60_000,
  });
};

export const useKeys = () => {
  const { petstore, can } = useSession();
  return useQuery({
    queryKey: ['keys', 'overview'],
    queryFn: async () => {
      const { items } = await petstore.keys.list({ order: 'desc', limit: 100 }).page();
      return items.filter(({ revokedAt }) => revokedAt === null);
    },
    enabled: can('keys:write'),
    staleTime: 60_000,
  });
};

export const useUsages = () => {
  const { petstore, can, me } = useSession();
  const keys = useKeys();
  const isOperator = can('keys:write') && can('ops:read');
  const used = (keys.data ?? [])
    .filter(({ id, lastUsedAt }) => id !== me.id && lastUsedAt !== null)
    .sort((a, b) => (String(a.lastUsedAt) < String(b.lastUsedAt) ? 1 : -1))
    .slice(0, MAX_KEYS - 1)
    .map(({ id }) => id);
  return useQuery({
    queryKey: ['usage', 'overview', ...used],
    queryFn: (): Promise<Usage[]> => Promise.all([petstore.usage.get(), ...used.map((id) => petstore.keys.usage(id))]),
    enabled: !isOperator || !keys.isPending,
    refetchInterval: 60_000,
    placeholderData: (before) => before,
  });
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

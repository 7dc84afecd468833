import { queryOptions, useQueryClient } from '@tanstack/react-query';
import type { Petstore, Webhook } from '../../client/src/index.ts';

export const webhookKey = (id: string) => ['webhooks', 'one', id] as const;
export const logKey = (id: string) => ['webhooks', 'deliveries', id] as const;
export const HEALTH = ['webhooks', 'health'] as const;
export const healthKey = (id: string) => [...HEALTH, id] as const;

/** Number of recent deliveries used to compute a webhook's status and summary. */
export const MAX_LATEST = 50;
const PENDING_MS = 10_000;
const IDLE_MS = 60_000;

/** The Overview uses the same query, so that it never contradicts the Webhooks page. */
export const latestQuery = (petstore: Petstore, id: string) =>
  queryOptions({
    queryKey: healthKey(id),
    queryFn: async () => (await petstore.webhooks.deliveries(id, { order: 'desc', limit: MAX_LATEST }).page()).items,
    refetchInterval: ({ state: { data } }) => (data?.some(({ state }) => state === 'pending') ? PENDING_MS : IDLE_MS),
  });

export const useWebhookChanged = () => {
  const queries = useQueryClient();
  return async ({ id, url, events, enabled, disabledReason, createdAt }: Webhook) => {
    queries.setQueryData<Webhook>(webhookKey(id), { id, url, events, enabled, disabledReason, createdAt });
    await queries.invalidateQueries({ queryKey: ['webhooks', 'all'] });
  };
};

import { queryOptions, useQueryClient } from '@tanstack/react-query';
import type { Delivery, Petstore, Webhook } from '../../client/src/index.ts';

export const webhookKey = (id: string) => ['webhooks', 'one', id] as const;
export const logKey = (id: string) => ['webhooks', 'deliveries', id] as const;
export const HEALTH = ['webhooks', 'health'] as const;
export const healthKey = (id: string) => [...HEALTH, id] as const;

/** Number of recent deliveries used to compute a webhook's status and summary. */
export const MAX_LATEST = 50;
const PENDING_MS = 10_000;
const IDLE_MS = 60_000;

const isDueSoon = ({ state, nextAttemptAt }: Delivery): boolean =>
  state === 'pending' && (nextAttemptAt === null || Date.parse(nextAttemptAt) - Date.now() < PENDING_MS);

/** Each refresh costs one request per webhook, so a long list is refreshed less often. */
export const refreshMs = (webhooks: number): number => Math.max(PENDING_MS, 2000 * webhooks);

/** The Overview uses the same query, so that it never contradicts the Webhooks page. */
export const latestQuery = (petstore: Petstore, id: string) =>
  queryOptions({
    queryKey: healthKey(id),
    queryFn: async () => (await petstore.webhooks.deliveries(id, { order: 'desc', limit: MAX_LATEST }).page()).items,
    refetchInterval: ({ state: { data } }) => (data?.some(isDueSoon) ? PENDING_MS : IDLE_MS),
  });

export const useWebhookChanged = () => {
  const queries = useQueryClient();
  return async ({ id, url, events, enabled, disabledReason, createdAt }: Webhook) => {
    queries.setQueryData<Webhook>(webhookKey(id), { id, url, events, enabled, disabledReason, createdAt });
    await queries.invalidateQueries({ queryKey: ['webhooks', 'all'] });
  };
};

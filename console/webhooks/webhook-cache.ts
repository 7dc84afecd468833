import { useQueryClient } from '@tanstack/react-query';
import type { Webhook } from '../../client/src/index.ts';

export const webhookKey = (id: string) => ['webhooks', 'one', id] as const;
export const logKey = (id: string) => ['webhooks', 'deliveries', id] as const;

export const useWebhookChanged = () => {
  const queries = useQueryClient();
  return async ({ id, url, events, enabled, disabledReason, createdAt }: Webhook) => {
    queries.setQueryData<Webhook>(webhookKey(id), { id, url, events, enabled, disabledReason, createdAt });
    await queries.invalidateQueries({ queryKey: ['webhooks', 'all'] });
  };
};

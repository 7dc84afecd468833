import { reads } from '../kernel/operation.ts';
import { getWebhookContract } from './get-webhook.contract.ts';
import { toWebhookBody } from './webhook.ts';
import { findWebhook, type WebhookReads } from './webhooks.store.ts';

export const getWebhook = reads(getWebhookContract, async (stores: { webhooks: WebhookReads }, { path }) => ({
  body: toWebhookBody(await findWebhook(stores.webhooks, path.webhookId)),
}));

import { reads } from '../../kernel/operation.ts';
import { toWebhookBody } from './webhook.ts';
import { getWebhookContract } from './webhooks.contracts.ts';
import { findWebhook, type WebhookReads } from './webhooks.repository.ts';

export const getWebhook = reads(
  getWebhookContract,
  async (repositories: { webhooks: WebhookReads }, { path }, call) => ({
    body: toWebhookBody(await findWebhook(repositories.webhooks, path.webhookId, call)),
  }),
);

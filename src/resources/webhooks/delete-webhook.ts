import { writes } from '../../kernel/operation.ts';
import { toWebhookBody } from './webhook.ts';
import { deleteWebhookContract } from './webhooks.contracts.ts';
import { lockWebhook, type WebhookRepositories } from './webhooks.repository.ts';

export const deleteWebhook = writes(
  deleteWebhookContract,
  async (repositories: WebhookRepositories, { path }, call) => {
    const webhook = await lockWebhook(repositories.webhooks, path.webhookId, call);
    await repositories.webhooks.remove(webhook.id);
    await repositories.events.append({ type: 'webhook.deleted', object: toWebhookBody(webhook) });
    return {};
  },
);

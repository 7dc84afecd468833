import { type EventLog, writes } from '../../kernel/operation.ts';
import { toWebhookBody } from './webhook.ts';
import { deleteWebhookContract } from './webhooks.contracts.ts';
import { lockWebhook, type WebhookRepository } from './webhooks.repository.ts';

type Repositories = { webhooks: WebhookRepository; events: EventLog };

export const deleteWebhook = writes(deleteWebhookContract, async (repositories: Repositories, { path }, call) => {
  const webhook = await lockWebhook(repositories.webhooks, path.webhookId, call);
  await repositories.webhooks.remove(webhook.id);
  await repositories.events.append({ type: 'webhook.deleted', object: toWebhookBody(webhook) });
  return {};
});

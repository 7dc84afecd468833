import { type EventLog, writes } from '../../kernel/operation.ts';
import { toDeliveryBody } from './delivery.ts';
import { refuseDisabled } from './refuse-webhook.ts';
import { toWebhookBody } from './webhook.ts';
import { testWebhookContract } from './webhooks.contracts.ts';
import { lockWebhook, type WebhookRepository } from './webhooks.repository.ts';

type Repositories = { webhooks: WebhookRepository; events: EventLog };

export const testWebhook = writes(testWebhookContract, async (repositories: Repositories, { path }, call) => {
  const webhook = await lockWebhook(repositories.webhooks, path.webhookId, call);
  refuseDisabled(webhook);
  const eventId = await repositories.events.append({ type: 'webhook.test', object: toWebhookBody(webhook) });
  return { body: toDeliveryBody(await repositories.webhooks.sendTest(webhook.id, eventId)) };
});

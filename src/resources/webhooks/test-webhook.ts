import { writes } from '../../kernel/operation.ts';
import { toDeliveryBody } from './delivery.ts';
import { refuseDisabled } from './refuse-webhook.ts';
import { toWebhookBody } from './webhook.ts';
import { testWebhookContract } from './webhooks.contracts.ts';
import { lockWebhook, type WebhookRepositories } from './webhooks.repository.ts';

export const testWebhook = writes(testWebhookContract, async (repositories: WebhookRepositories, { path }, call) => {
  const webhook = await lockWebhook(repositories.webhooks, path.webhookId, call);
  refuseDisabled(webhook);
  const eventId = await repositories.events.append({ type: 'webhook.test', object: toWebhookBody(webhook) });
  return { body: toDeliveryBody(await repositories.webhooks.sendTest(webhook.id, eventId)) };
});

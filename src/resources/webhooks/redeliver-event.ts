import { orNotFound } from '../../kernel/failure.ts';
import { writes } from '../../kernel/operation.ts';
import { toDeliveryBody } from './delivery.ts';
import { refuseDisabled } from './refuse-webhook.ts';
import { redeliverEventContract } from './webhooks.contracts.ts';
import { lockWebhook, type WebhookRepository } from './webhooks.repository.ts';

export const redeliverEvent = writes(
  redeliverEventContract,
  async (repositories: { webhooks: WebhookRepository }, { path }, call) => {
    const webhook = await lockWebhook(repositories.webhooks, path.webhookId, call);
    const found = await repositories.webhooks.findDelivery(webhook.id, path.deliveryId);
    const delivery = orNotFound(found, 'delivery', path.deliveryId);
    refuseDisabled(webhook);
    return { body: toDeliveryBody(await repositories.webhooks.redeliver(webhook.id, delivery)) };
  },
);

import { Failure } from '../kernel/failure.ts';
import { writes } from '../kernel/operation.ts';
import { toDeliveryBody } from './delivery.ts';
import { redeliverEventContract } from './redeliver-event.contract.ts';
import { refuseSwitchedOff } from './refuse-webhook.ts';
import { lockWebhook, type WebhookStore } from './webhooks.store.ts';

export const redeliverEvent = writes(redeliverEventContract, async (stores: { webhooks: WebhookStore }, { path }) => {
  const webhook = await lockWebhook(stores.webhooks, path.webhookId);
  const delivery = await stores.webhooks.findDelivery(webhook.id, path.deliveryId);
  if (!delivery) throw new Failure('not_found', `There is no delivery ${JSON.stringify(path.deliveryId)}.`);
  refuseSwitchedOff(webhook);
  return { body: toDeliveryBody(await stores.webhooks.redeliver(webhook.id, delivery)) };
});

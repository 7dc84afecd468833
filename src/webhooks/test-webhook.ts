import type { EventLog } from '../kernel/event.ts';
import { writes } from '../kernel/operation.ts';
import { toDeliveryBody } from './delivery.ts';
import { refuseSwitchedOff } from './refuse-webhook.ts';
import { testWebhookContract } from './test-webhook.contract.ts';
import { toWebhookBody } from './webhook.ts';
import { lockWebhook, type WebhookStore } from './webhooks.store.ts';

type Stores = { webhooks: WebhookStore; events: EventLog };

export const testWebhook = writes(testWebhookContract, async (stores: Stores, { path }) => {
  const webhook = await lockWebhook(stores.webhooks, path.webhookId);
  refuseSwitchedOff(webhook);
  const eventId = await stores.events.append({ type: 'webhook.test', object: toWebhookBody(webhook) });
  return { body: toDeliveryBody(await stores.webhooks.sendTest(webhook.id, eventId)) };
});

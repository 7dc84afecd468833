import type { EventLog } from '../kernel/event.ts';
import { writes } from '../kernel/operation.ts';
import { deleteWebhookContract } from './delete-webhook.contract.ts';
import { refuseOperatorsWebhook } from './refuse-webhook.ts';
import { toWebhookBody } from './webhook.ts';
import { lockWebhook, type WebhookStore } from './webhooks.store.ts';

type Stores = { webhooks: WebhookStore; events: EventLog };

export const deleteWebhook = writes(deleteWebhookContract, async (stores: Stores, { path }, call) => {
  const webhook = await lockWebhook(stores.webhooks, path.webhookId);
  refuseOperatorsWebhook(webhook, call);
  await stores.webhooks.remove(webhook.id);
  await stores.events.append({ type: 'webhook.deleted', object: toWebhookBody(webhook) });
  return {};
});

import { orNotFound } from '../../kernel/failure.ts';
import { reads, writes } from '../../kernel/operation.ts';
import { answerPage, formatTimePosition } from '../../kernel/page.ts';
import { createWebhook } from './create-webhook.ts';
import { toDeliveryBody } from './delivery.ts';
import { refuseDisabled } from './refuse-webhook.ts';
import { rotateWebhookSecret } from './rotate-webhook-secret.ts';
import { updateWebhook } from './update-webhook.ts';
import { toWebhookBody } from './webhook.ts';
import {
  deleteWebhookContract,
  getWebhookContract,
  listDeliveriesContract,
  listWebhooksContract,
  redeliverEventContract,
  testWebhookContract,
} from './webhooks.contracts.ts';
import {
  findWebhook,
  lockWebhook,
  seesOperators,
  type WebhookReads,
  type WebhookRepositories,
} from './webhooks.repository.ts';

type Reads = { webhooks: WebhookReads };

const listWebhooks = reads(listWebhooksContract, async ({ webhooks }: Reads, { page }, call) => {
  const rows = await webhooks.list({ ...page, limit: page.limit + 1 }, { withOperators: seesOperators(call) });
  return answerPage(rows, page, { body: toWebhookBody, position: formatTimePosition });
});

const getWebhook = reads(getWebhookContract, async ({ webhooks }: Reads, { path }, call) => ({
  body: toWebhookBody(await findWebhook(webhooks, path.webhookId, call)),
}));

const deleteWebhook = writes(
  deleteWebhookContract,
  async ({ webhooks, events }: WebhookRepositories, { path }, call) => {
    const webhook = await lockWebhook(webhooks, path.webhookId, call);
    await webhooks.remove(webhook.id);
    await events.append({ type: 'webhook.deleted', object: toWebhookBody(webhook) });
    return {};
  },
);

const testWebhook = writes(testWebhookContract, async ({ webhooks, events }: WebhookRepositories, { path }, call) => {
  const webhook = await lockWebhook(webhooks, path.webhookId, call);
  refuseDisabled(webhook);
  const eventId = await events.append({ type: 'webhook.test', object: toWebhookBody(webhook) });
  return { body: toDeliveryBody(await webhooks.sendTest(webhook.id, eventId)) };
});

const listDeliveries = reads(listDeliveriesContract, async ({ webhooks }: Reads, { path, page }, call) => {
  const { id } = await findWebhook(webhooks, path.webhookId, call);
  const deliveries = await webhooks.listDeliveries(id, { ...page, limit: page.limit + 1 });
  return answerPage(deliveries, page, { body: toDeliveryBody, position: formatTimePosition });
});

/** @internal */
export const redeliverEvent = writes(
  redeliverEventContract,
  async ({ webhooks }: Pick<WebhookRepositories, 'webhooks'>, { path }, call) => {
    const webhook = await lockWebhook(webhooks, path.webhookId, call);
    const found = await webhooks.findDelivery(webhook.id, path.deliveryId);
    const delivery = orNotFound(found, 'delivery', path.deliveryId);
    refuseDisabled(webhook);
    return { body: toDeliveryBody(await webhooks.redeliver(webhook.id, delivery)) };
  },
);

export const webhookOperations = [
  listWebhooks,
  createWebhook,
  getWebhook,
  updateWebhook,
  deleteWebhook,
  testWebhook,
  rotateWebhookSecret,
  listDeliveries,
  redeliverEvent,
];

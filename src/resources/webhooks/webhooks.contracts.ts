import { contract } from '../../kernel/contract.ts';
import { timePosition } from '../../kernel/page.ts';
import { listOf } from '../../kernel/schema.ts';
import { webhookBody } from '../events/webhook.ts';
import { deliveryBody, deliveryIdText } from './delivery.ts';
import { newWebhook, webhookChange, webhookIdText, webhookWithSecretBody } from './webhook.ts';

const WEBHOOKS = { tag: 'Webhooks', scope: 'webhooks:write', stability: 'beta' } as const;
const ONE_WEBHOOK = { path: { webhookId: webhookIdText } };

export const listWebhooksContract = contract({
  ...WEBHOOKS,
  id: 'listWebhooks',
  method: 'GET',
  path: '/webhooks',
  command: 'webhooks list',
  summary: 'List webhooks',
  description:
    'Returns the webhooks of the store, in the order in which they were added; those of the operator with `keys:write` alone.',
  input: {},
  paged: timePosition,
  answer: {
    status: 200,
    description: 'A page of webhooks',
    body: listOf(webhookBody, { id: 'Webhooks', description: 'Webhooks, in the order in which they were added.' }),
  },
});

export const createWebhookContract = contract({
  ...WEBHOOKS,
  id: 'createWebhook',
  method: 'POST',
  path: '/webhooks',
  command: 'webhooks create',
  summary: 'Create a webhook',
  description:
    'Tells an endpoint of what happens in the store from now on, by Standard Webhooks 1.0.0. The answer shows the secret ' +
    'with which deliveries are signed, this once. It is told what the key that makes it may read, for as long as it may: ' +
    '`pet.*` and `category.*` take `pets:read`, `order.*` takes `orders:read`, `key.*` and `webhook.*` take `keys:write`. ' +
    'One made with `keys:write` is not there for other keys of the store. How many a store can ' +
    'have depends on the plan of the key: free 5, pro 20, business and enterprise 100; webhooks of the operator count ' +
    'separately. Beyond that: 403 `store_full`. Writes `webhook.created`.',
  input: { body: newWebhook },
  failures: ['store_full'],
  row: 'store',
  answer: { status: 201, description: 'Webhook added', body: webhookWithSecretBody, headers: ['Location'] },
});

export const getWebhookContract = contract({
  ...WEBHOOKS,
  id: 'getWebhook',
  method: 'GET',
  path: '/webhooks/{webhookId}',
  command: 'webhooks get',
  summary: 'Get a webhook',
  description: 'Returns one webhook, without its secret.',
  input: ONE_WEBHOOK,
  answer: { status: 200, description: 'The webhook', body: webhookBody },
});

export const updateWebhookContract = contract({
  ...WEBHOOKS,
  id: 'updateWebhook',
  method: 'PATCH',
  path: '/webhooks/{webhookId}',
  command: 'webhooks update',
  summary: 'Update a webhook',
  description:
    'Changes where a webhook leads, what it is told, or whether it is switched on; what is left out stays. One that is ' +
    'switched on again is told of what happens from then on. What it is told must be something that its key and the ' +
    'caller may read; to lead it elsewhere takes all that its key may read. An operator gives it another key with `keyId`, ' +
    'which takes `keys:write`. Writes `webhook.updated`, unless nothing changes.',
  input: { path: { webhookId: webhookIdText }, body: webhookChange },
  answer: { status: 200, description: 'The webhook as it is now', body: webhookBody },
  failures: ['invalid_status_transition'],
});

export const deleteWebhookContract = contract({
  ...WEBHOOKS,
  id: 'deleteWebhook',
  method: 'DELETE',
  path: '/webhooks/{webhookId}',
  command: 'webhooks delete',
  summary: 'Delete a webhook',
  description:
    'Removes a webhook with the log of its deliveries. What was not delivered yet is not sent any more. ' +
    'Writes `webhook.deleted`.',
  input: ONE_WEBHOOK,
  answer: { status: 204, description: 'The webhook is removed' },
});

export const testWebhookContract = contract({
  ...WEBHOOKS,
  id: 'testWebhook',
  method: 'POST',
  path: '/webhooks/{webhookId}/test',
  command: 'webhooks test',
  summary: 'Send a test event',
  description:
    'Sends an event `webhook.test` to this webhook alone, whatever it asks for; it has to be switched on. The delivery ' +
    'tells what came of it. Writes `webhook.test`.',
  input: ONE_WEBHOOK,
  answer: { status: 200, description: 'The delivery, on its way', body: deliveryBody },
  failures: ['invalid_status_transition'],
});

export const rotateWebhookSecretContract = contract({
  ...WEBHOOKS,
  id: 'rotateWebhookSecret',
  method: 'POST',
  path: '/webhooks/{webhookId}/rotate-secret',
  command: 'webhooks rotate-secret',
  summary: 'Rotate the secret of a webhook',
  description:
    'Makes a new secret and shows it, this once. For 24 hours deliveries are signed with the one before as well. ' +
    'Writes `webhook.updated`.',
  input: ONE_WEBHOOK,
  answer: { status: 200, description: 'The webhook with its new secret', body: webhookWithSecretBody },
});

export const listDeliveriesContract = contract({
  ...WEBHOOKS,
  id: 'listDeliveries',
  method: 'GET',
  path: '/webhooks/{webhookId}/deliveries',
  command: 'webhooks deliveries',
  summary: 'List deliveries of a webhook',
  description:
    'Returns what was sent to a webhook and what is still to be sent, by time: the latest attempt of each event.',
  input: ONE_WEBHOOK,
  paged: timePosition,
  answer: {
    status: 200,
    description: 'A page of deliveries',
    body: listOf(deliveryBody, { id: 'Deliveries', description: 'Deliveries, by time.' }),
  },
});

export const redeliverEventContract = contract({
  ...WEBHOOKS,
  id: 'redeliverEvent',
  method: 'POST',
  path: '/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver',
  command: 'webhooks redeliver',
  summary: 'Redeliver an event',
  description:
    'Sends an event to the webhook once more, with the same id, from the first attempt on. It has to be switched on.',
  input: { path: { webhookId: webhookIdText, deliveryId: deliveryIdText } },
  answer: { status: 200, description: 'The delivery, on its way again', body: deliveryBody },
  failures: ['invalid_status_transition'],
});

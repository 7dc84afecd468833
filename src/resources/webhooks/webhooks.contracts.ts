import { contract } from '../../kernel/contract.ts';
import { timePosition } from '../../kernel/page.ts';
import { listOf } from '../../kernel/schema.ts';
import { webhookBody } from '../events/webhook.ts';
import { deliveryBody, deliveryIdText } from './delivery.ts';
import { newWebhook, webhookChange, webhookIdText, webhookWithSecretBody } from './webhook.ts';

const WEBHOOKS = { tag: 'Webhooks', scope: 'webhooks:write', stability: 'beta' } as const;
const ONE_WEBHOOK = { path: { webhookId: webhookIdText } };
const webhooks = listOf(webhookBody, 'Webhooks', 'Webhooks, in order of creation.');

export const listWebhooksContract = contract('listWebhooks', 'GET', '/webhooks', {
  ...WEBHOOKS,
  command: 'webhooks list',
  summary: 'List webhooks',
  description:
    "Returns the store's webhooks in order of creation. The operator's webhooks are visible only with `keys:write`.",
  paged: timePosition,
  answer: { status: 200, description: 'A page of webhooks', body: webhooks },
});

export const createWebhookContract = contract('createWebhook', 'POST', '/webhooks', {
  ...WEBHOOKS,
  command: 'webhooks create',
  summary: 'Create a webhook',
  description:
    "Creates a webhook that sends the store's new events to an endpoint. Deliveries are signed according to Standard " +
    'Webhooks 1.0.0. Only this response shows the signing secret. The webhook receives only events that its key ' +
    'may read at the time of sending: `pet.*` and `category.*` require `pets:read`, `order.*` requires `orders:read`, ' +
    'and `key.*` and `webhook.*` require `keys:write`. A webhook created by a key with `keys:write` belongs to the ' +
    "operator and is hidden from the store's other keys. The key's plan limits how many webhooks a store can have: " +
    "free 5, pro 20, business and enterprise 100. Creating more than that fails with 403 `store_full`. The operator's " +
    'webhooks are counted separately. Writes a `webhook.created` event.',
  input: { body: newWebhook },
  failures: ['store_full'],
  row: 'store',
  answer: { status: 201, description: 'Webhook created', body: webhookWithSecretBody, headers: ['Location'] },
});

export const getWebhookContract = contract('getWebhook', 'GET', '/webhooks/{webhookId}', {
  ...WEBHOOKS,
  command: 'webhooks get',
  summary: 'Get a webhook',
  description: 'Returns one webhook, without its secret.',
  input: ONE_WEBHOOK,
  answer: { status: 200, description: 'The webhook', body: webhookBody },
});

export const updateWebhookContract = contract('updateWebhook', 'PATCH', '/webhooks/{webhookId}', {
  ...WEBHOOKS,
  command: 'webhooks update',
  summary: 'Update a webhook',
  description:
    "Changes a webhook's URL or event types, or enables or disables it. Omitted fields stay as they are. A webhook " +
    "that is enabled again receives only new events. Both the webhook's key and the caller must be able to read the " +
    "webhook's event types. To change the URL, the caller must be able to read everything that the webhook's key can " +
    'read. An operator can assign another key with `keyId`, which requires `keys:write`. Writes a `webhook.updated` ' +
    'event, unless nothing changes.',
  input: { path: { webhookId: webhookIdText }, body: webhookChange },
  answer: { status: 200, description: 'The updated webhook', body: webhookBody },
  failures: ['invalid_status_transition'],
});

export const deleteWebhookContract = contract('deleteWebhook', 'DELETE', '/webhooks/{webhookId}', {
  ...WEBHOOKS,
  command: 'webhooks delete',
  summary: 'Delete a webhook',
  description:
    'Deletes a webhook and its delivery log. Pending deliveries are not sent. Writes a `webhook.deleted` event.',
  input: ONE_WEBHOOK,
  answer: { status: 204, description: 'Webhook deleted' },
});

export const testWebhookContract = contract('testWebhook', 'POST', '/webhooks/{webhookId}/test', {
  ...WEBHOOKS,
  command: 'webhooks test',
  summary: 'Send a test event',
  description:
    'Sends a test event to this webhook only, even if it does not subscribe to `webhook.test`. The webhook must be ' +
    'enabled. The delivery shows the result. Writes a `webhook.test` event.',
  input: ONE_WEBHOOK,
  answer: { status: 200, description: 'The pending delivery', body: deliveryBody },
  failures: ['invalid_status_transition'],
});

export const rotateWebhookSecretContract = contract(
  'rotateWebhookSecret',
  'POST',
  '/webhooks/{webhookId}/rotate-secret',
  {
    ...WEBHOOKS,
    command: 'webhooks rotate-secret',
    summary: "Rotate a webhook's secret",
    description:
      'Creates a new secret. Only this response shows it. For 24 hours, deliveries are also signed with the previous secret. ' +
      'Writes a `webhook.updated` event.',
    input: ONE_WEBHOOK,
    answer: { status: 200, description: 'The webhook with its new secret', body: webhookWithSecretBody },
  },
);

const deliveries = listOf(deliveryBody, 'Deliveries', 'Deliveries, ordered by time.');

export const listDeliveriesContract = contract('listDeliveries', 'GET', '/webhooks/{webhookId}/deliveries', {
  ...WEBHOOKS,
  command: 'webhooks deliveries',
  summary: "List a webhook's deliveries",
  description:
    "Returns a webhook's deliveries, sent and pending, ordered by time. Each delivery shows its latest attempt.",
  input: ONE_WEBHOOK,
  paged: timePosition,
  answer: { status: 200, description: 'A page of deliveries', body: deliveries },
});

export const redeliverEventContract = contract(
  'redeliverEvent',
  'POST',
  '/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver',
  {
    ...WEBHOOKS,
    command: 'webhooks redeliver',
    summary: 'Redeliver an event',
    description:
      'Sends an event to the webhook again, with the same event id. The retry schedule starts over. The webhook must ' +
      'be enabled.',
    input: { path: { webhookId: webhookIdText, deliveryId: deliveryIdText } },
    answer: { status: 200, description: 'The delivery, pending again', body: deliveryBody },
    failures: ['invalid_status_transition'],
  },
);

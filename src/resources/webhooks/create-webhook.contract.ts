import { contract } from '../../kernel/contract.ts';
import { newWebhook, webhookWithSecretBody } from './webhook.ts';

export const createWebhookContract = contract({
  id: 'createWebhook',
  method: 'POST',
  path: '/webhooks',
  command: 'webhooks create',
  tag: 'Webhooks',
  summary: 'Create a webhook',
  description:
    'Tells an endpoint of what happens in the store from now on, by Standard Webhooks 1.0.0. The answer shows the secret ' +
    'with which deliveries are signed, this once. It is told what the key that makes it may read, for as long as it may: ' +
    '`pet.*` and `category.*` take `pets:read`, `order.*` takes `orders:read`, `key.*` and `webhook.*` take `keys:write`. ' +
    'One made with `keys:write` is not there for other keys of the store. How many a store can ' +
    'have depends on the plan of the key: free 5, pro 20, business and enterprise 100; webhooks of the operator count ' +
    'separately. Beyond that: 403 `store_full`. Writes `webhook.created`.',
  scope: 'webhooks:write',
  input: { body: newWebhook },
  failures: ['store_full'],
  row: 'store',
  answer: { status: 201, description: 'Webhook added', body: webhookWithSecretBody, headers: ['Location'] },
  stability: 'beta',
});

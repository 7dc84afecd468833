import { contract } from '../kernel/contract.ts';
import { newWebhook, webhookWithSecretBody } from './webhook.ts';

export const createWebhookContract = contract({
  id: 'createWebhook',
  method: 'POST',
  path: '/webhooks',
  command: 'webhooks create',
  tag: 'Webhooks',
  summary: 'Add a webhook',
  description:
    'Tells an endpoint of what happens in the store from now on, by Standard Webhooks 1.0.0. The answer shows the secret ' +
    'with which deliveries are signed, this once. Changes of keys and webhooks are told to holders of `keys:write` only. ' +
    'A store has at most 100.',
  scope: 'webhooks:write',
  input: { body: newWebhook },
  row: 'store',
  answer: { status: 201, description: 'Webhook added', body: webhookWithSecretBody, headers: ['Location'] },
  stability: 'beta',
});

import { contract } from '../../kernel/contract.ts';
import { webhookIdText, webhookWithSecretBody } from './webhook.ts';

export const rotateWebhookSecretContract = contract({
  id: 'rotateWebhookSecret',
  method: 'POST',
  path: '/webhooks/{webhookId}/rotate-secret',
  command: 'webhooks rotate-secret',
  tag: 'Webhooks',
  summary: 'Rotate the secret of a webhook',
  description:
    'Makes a new secret and shows it, this once. For 24 hours deliveries are signed with the one before as well. ' +
    'Writes `webhook.updated`.',
  scope: 'webhooks:write',
  input: { path: { webhookId: webhookIdText } },
  answer: { status: 200, description: 'The webhook with its new secret', body: webhookWithSecretBody },
  stability: 'beta',
});

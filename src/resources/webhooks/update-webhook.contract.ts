import { contract } from '../../kernel/contract.ts';
import { webhookBody } from '../events/webhook.ts';
import { webhookChange, webhookIdText } from './webhook.ts';

export const updateWebhookContract = contract({
  id: 'updateWebhook',
  method: 'PATCH',
  path: '/webhooks/{webhookId}',
  command: 'webhooks update',
  tag: 'Webhooks',
  summary: 'Update a webhook',
  description:
    'Changes where a webhook leads, what it is told, or whether it is switched on; what is left out stays. One that is ' +
    'switched on again is told of what happens from then on. What it is told must be something that its key and the ' +
    'caller may read; to lead it elsewhere takes all that its key may read. An operator gives it another key with `keyId`, ' +
    'which takes `keys:write`. Writes `webhook.updated`, unless nothing changes.',
  scope: 'webhooks:write',
  input: { path: { webhookId: webhookIdText }, body: webhookChange },
  answer: { status: 200, description: 'The webhook as it is now', body: webhookBody },
  failures: ['invalid_status_transition'],
  stability: 'beta',
});

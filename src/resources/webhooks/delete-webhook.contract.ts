import { contract } from '../../kernel/contract.ts';
import { webhookIdText } from './webhook.ts';

export const deleteWebhookContract = contract({
  id: 'deleteWebhook',
  method: 'DELETE',
  path: '/webhooks/{webhookId}',
  command: 'webhooks delete',
  tag: 'Webhooks',
  summary: 'Delete a webhook',
  description:
    'Removes a webhook with the log of its deliveries. What was not delivered yet is not sent any more. ' +
    'Writes `webhook.deleted`.',
  scope: 'webhooks:write',
  input: { path: { webhookId: webhookIdText } },
  answer: { status: 204, description: 'The webhook is removed' },
  stability: 'beta',
});

import { contract } from '../../kernel/contract.ts';
import { webhookBody } from '../events/webhook.ts';
import { webhookIdText } from './webhook.ts';

export const getWebhookContract = contract({
  id: 'getWebhook',
  method: 'GET',
  path: '/webhooks/{webhookId}',
  command: 'webhooks get',
  tag: 'Webhooks',
  summary: 'Get a webhook',
  description: 'Returns one webhook, without its secret.',
  scope: 'webhooks:write',
  input: { path: { webhookId: webhookIdText } },
  answer: { status: 200, description: 'The webhook', body: webhookBody },
  stability: 'beta',
});

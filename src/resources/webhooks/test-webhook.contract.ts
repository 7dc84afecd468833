import { contract } from '../../kernel/contract.ts';
import { deliveryBody } from './delivery.ts';
import { webhookIdText } from './webhook.ts';

export const testWebhookContract = contract({
  id: 'testWebhook',
  method: 'POST',
  path: '/webhooks/{webhookId}/test',
  command: 'webhooks test',
  tag: 'Webhooks',
  summary: 'Send a test event',
  description:
    'Sends an event `webhook.test` to this webhook alone, whatever it asks for; it has to be switched on. The delivery ' +
    'tells what came of it. Writes `webhook.test`.',
  scope: 'webhooks:write',
  input: { path: { webhookId: webhookIdText } },
  answer: { status: 200, description: 'The delivery, on its way', body: deliveryBody },
  failures: ['invalid_status_transition'],
  stability: 'beta',
});

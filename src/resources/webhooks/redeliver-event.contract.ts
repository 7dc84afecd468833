import { contract } from '../../kernel/contract.ts';
import { deliveryBody, deliveryIdText } from './delivery.ts';
import { webhookIdText } from './webhook.ts';

export const redeliverEventContract = contract({
  id: 'redeliverEvent',
  method: 'POST',
  path: '/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver',
  command: 'webhooks redeliver',
  tag: 'Webhooks',
  summary: 'Redeliver an event',
  description:
    'Sends an event to the webhook once more, with the same id, from the first attempt on. It has to be switched on.',
  scope: 'webhooks:write',
  input: { path: { webhookId: webhookIdText, deliveryId: deliveryIdText } },
  answer: { status: 200, description: 'The delivery, on its way again', body: deliveryBody },
  failures: ['invalid_status_transition'],
  stability: 'beta',
});

import { contract } from '../../kernel/contract.ts';
import { timePosition } from '../../kernel/page.ts';
import { listOf } from '../../kernel/schema.ts';
import { deliveryBody } from './delivery.ts';
import { webhookIdText } from './webhook.ts';

export const listDeliveriesContract = contract({
  id: 'listDeliveries',
  method: 'GET',
  path: '/webhooks/{webhookId}/deliveries',
  command: 'webhooks deliveries',
  tag: 'Webhooks',
  summary: 'List deliveries of a webhook',
  description:
    'Returns what was sent to a webhook and what is still to be sent, by time: the latest attempt of each event.',
  scope: 'webhooks:write',
  input: { path: { webhookId: webhookIdText } },
  paged: timePosition,
  answer: {
    status: 200,
    description: 'A page of deliveries',
    body: listOf(deliveryBody, { id: 'Deliveries', description: 'Deliveries, by time.' }),
  },
  stability: 'beta',
});

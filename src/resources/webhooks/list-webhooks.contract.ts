import { contract } from '../../kernel/contract.ts';
import { timePosition } from '../../kernel/page.ts';
import { listOf } from '../../kernel/schema.ts';
import { webhookBody } from '../events/webhook.ts';

export const listWebhooksContract = contract({
  id: 'listWebhooks',
  method: 'GET',
  path: '/webhooks',
  command: 'webhooks list',
  tag: 'Webhooks',
  summary: 'List webhooks',
  description:
    'Returns the webhooks of the store, in the order in which they were added; those of the operator with `keys:write` alone.',
  scope: 'webhooks:write',
  input: {},
  paged: timePosition,
  answer: {
    status: 200,
    description: 'A page of webhooks',
    body: listOf(webhookBody, { id: 'Webhooks', description: 'Webhooks, in the order in which they were added.' }),
  },
  stability: 'beta',
});

import { reads } from '../../kernel/operation.ts';
import { answerPage, formatTimePosition } from '../../kernel/page.ts';
import { toWebhookBody } from './webhook.ts';
import { listWebhooksContract } from './webhooks.contracts.ts';
import { seesOperators, type WebhookReads } from './webhooks.repository.ts';

export const listWebhooks = reads(
  listWebhooksContract,
  async (repositories: { webhooks: WebhookReads }, { page }, call) => {
    const filter = { withOperators: seesOperators(call) };
    const webhooks = await repositories.webhooks.list({ ...page, limit: page.limit + 1 }, filter);
    return answerPage(webhooks, page, { body: toWebhookBody, position: formatTimePosition });
  },
);

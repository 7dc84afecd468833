import { reads } from '../kernel/operation.ts';
import { answerPage } from '../kernel/page.ts';
import { spellTimePosition } from '../kernel/time-position.ts';
import { listWebhooksContract } from './list-webhooks.contract.ts';
import { toWebhookBody } from './webhook.ts';
import type { WebhookReads } from './webhooks.repository.ts';

export const listWebhooks = reads(listWebhooksContract, async (repositories: { webhooks: WebhookReads }, { page }) => {
  const after = page.after && { createdAt: page.after.at, id: page.after.id };
  const webhooks = await repositories.webhooks.list({ limit: page.limit + 1, order: page.order, after });
  return answerPage(webhooks, page, {
    body: toWebhookBody,
    position: ({ createdAt, id }) => spellTimePosition({ at: createdAt, id }),
  });
});

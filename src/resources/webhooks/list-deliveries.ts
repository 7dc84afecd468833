import { reads } from '../../kernel/operation.ts';
import { answerPage, formatTimePosition } from '../../kernel/page.ts';
import { toDeliveryBody } from './delivery.ts';
import { listDeliveriesContract } from './webhooks.contracts.ts';
import { findWebhook, type WebhookReads } from './webhooks.repository.ts';

export const listDeliveries = reads(
  listDeliveriesContract,
  async (repositories: { webhooks: WebhookReads }, { path, page }, call) => {
    const { id: webhookId } = await findWebhook(repositories.webhooks, path.webhookId, call);
    const deliveries = await repositories.webhooks.listDeliveries(webhookId, { ...page, limit: page.limit + 1 });
    return answerPage(deliveries, page, { body: toDeliveryBody, position: formatTimePosition });
  },
);

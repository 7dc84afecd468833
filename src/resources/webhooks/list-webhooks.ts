import { reads } from '../../kernel/operation.ts';
import { answerPage, formatTimePosition } from '../../kernel/page.ts';
import { toDeliveryBody } from './delivery.ts';
import { toWebhookBody } from './webhook.ts';
import { getWebhookContract, listDeliveriesContract, listWebhooksContract } from './webhooks.contracts.ts';
import { findWebhook, seesOperators, type WebhookReads } from './webhooks.repository.ts';

export const listWebhooks = reads(
  listWebhooksContract,
  async (repositories: { webhooks: WebhookReads }, { page }, call) => {
    const filter = { withOperators: seesOperators(call) };
    const webhooks = await repositories.webhooks.list({ ...page, limit: page.limit + 1 }, filter);
    return answerPage(webhooks, page, { body: toWebhookBody, position: formatTimePosition });
  },
);

export const getWebhook = reads(
  getWebhookContract,
  async (repositories: { webhooks: WebhookReads }, { path }, call) => ({
    body: toWebhookBody(await findWebhook(repositories.webhooks, path.webhookId, call)),
  }),
);

export const listDeliveries = reads(
  listDeliveriesContract,
  async (repositories: { webhooks: WebhookReads }, { path, page }, call) => {
    const { id: webhookId } = await findWebhook(repositories.webhooks, path.webhookId, call);
    const deliveries = await repositories.webhooks.listDeliveries(webhookId, { ...page, limit: page.limit + 1 });
    return answerPage(deliveries, page, { body: toDeliveryBody, position: formatTimePosition });
  },
);

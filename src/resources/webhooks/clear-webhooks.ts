import type { WriteInStore } from '../../kernel/operation.ts';
import { CLEARED_AT_ONCE, type DeliveryQueue, type WebhookRepository } from './webhooks.repository.ts';

type Deps = { queue: Pick<DeliveryQueue, 'uncleared'>; write: WriteInStore<{ webhooks: WebhookRepository }> };

const WEBHOOKS_AT_ONCE = 100;

/** Gives up or removes what webhooks that were switched off or removed have left, in small batches. */
export const clearWebhooks =
  ({ queue, write }: Deps) =>
  async (isStopped: () => boolean): Promise<void> => {
    for (const { storeId, webhookId } of await queue.uncleared(WEBHOOKS_AT_ONCE)) {
      const clearSome = () => write(storeId, ({ webhooks }) => webhooks.clear(webhookId, CLEARED_AT_ONCE));
      while (!isStopped() && !(await clearSome()));
    }
  };

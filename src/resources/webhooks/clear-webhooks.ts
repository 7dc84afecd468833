import type { WriteInStore } from '../../kernel/write-in-store.ts';
import { CLEARED_AT_ONCE, type DeliveryQueue, type WebhookRepository } from './webhooks.repository.ts';

const WEBHOOKS_AT_ONCE = 100;

type Deps = { queue: Pick<DeliveryQueue, 'uncleared'>; write: WriteInStore<{ webhooks: WebhookRepository }> };

/** Gives up or removes the deliveries of webhooks that were disabled or removed, in small batches. */
export const clearWebhooks = async ({ queue, write }: Deps, isStopped: () => boolean): Promise<void> => {
  for (const { storeId, webhookId } of await queue.uncleared(WEBHOOKS_AT_ONCE)) {
    const clearSome = () => write(storeId, ({ webhooks }) => webhooks.clear(webhookId, CLEARED_AT_ONCE));
    while (!isStopped() && !(await clearSome()));
  }
};

import type { WriteInStore } from '../kernel/operation.ts';
import type { DeliveryQueue, WebhookRepository } from '../resources/webhooks/webhooks.repository.ts';

type Deps = { queue: Pick<DeliveryQueue, 'lagging'>; write: WriteInStore<{ webhooks: WebhookRepository }> };

/** The product of these two bounds the rows of one commit. Other writers wait for that commit. */
const EVENTS_PER_COMMIT = 50;
const WEBHOOKS_PER_COMMIT = 20;

/** Adds deliveries for new events to webhooks, in one store or in all. Returns whether there may be more. */
export const fanOutEvents =
  ({ queue, write }: Deps) =>
  async (storeId: bigint | undefined): Promise<boolean> => {
    const lagging = await queue.lagging(WEBHOOKS_PER_COMMIT, storeId);
    const counts = await Promise.all(
      lagging.map((one) => write(one.storeId, ({ webhooks }) => webhooks.fanOut(one.webhookId, EVENTS_PER_COMMIT))),
    );
    const most = Math.max(0, ...counts);
    return most === EVENTS_PER_COMMIT || (lagging.length === WEBHOOKS_PER_COMMIT && most > 0);
  };

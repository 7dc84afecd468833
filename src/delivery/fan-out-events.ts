import type { WriteInStore } from '../kernel/operation.ts';
import type { DeliveryQueue, WebhookRepository } from '../resources/webhooks/webhooks.repository.ts';

type Deps = { queue: Pick<DeliveryQueue, 'lagging'>; write: WriteInStore<{ webhooks: WebhookRepository }> };

/** The product of these two limits is the maximum number of rows per commit. Other writers wait during the commit. */
const EVENTS_PER_COMMIT = 50;
const WEBHOOKS_PER_COMMIT = 20;

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

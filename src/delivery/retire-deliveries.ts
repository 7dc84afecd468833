import type { WriteInStore } from '../kernel/operation.ts';
import type { Clock } from '../kernel/runtime.ts';
import type { EventRepository, OldEvents } from '../resources/events/events.repository.ts';
import { LATEST_RETRY_MS } from '../resources/webhooks/delivery.ts';
import {
  CLEARED_PER_TRANSACTION,
  type DeliveryQueue,
  type WebhookRepository,
} from '../resources/webhooks/webhooks.repository.ts';

const WEBHOOKS_PER_RUN = 100;
const STORES_PER_READ = 100;
const ROWS_PER_TRANSACTION = 1000;

type Write = WriteInStore<{ events: EventRepository; webhooks: WebhookRepository }>;

export const clearWebhooks = async (queue: DeliveryQueue, write: Write, isStopped: () => boolean): Promise<void> => {
  for (const { storeId, webhookId } of await queue.uncleared(WEBHOOKS_PER_RUN)) {
    const clearSome = () => write(storeId, ({ webhooks }) => webhooks.clear(webhookId, CLEARED_PER_TRANSACTION));
    while (!isStopped() && !(await clearSome()));
  }
};

/** If retries were scheduled too far in the future because the clock was wrong, this function makes them due now. */
export const hastenDeliveries = async (clock: Clock, queue: DeliveryQueue, write: Write): Promise<void> => {
  const latest = clock() + LATEST_RETRY_MS;
  for (const storeId of await queue.farAhead(latest)) {
    const hastenSome = () => write(storeId, ({ webhooks }) => webhooks.hasten(latest, ROWS_PER_TRANSACTION));
    while ((await hastenSome()) === ROWS_PER_TRANSACTION);
  }
};

/**
 * Deletes one small batch of events or deliveries from each store in turn, so that a large store does not delay the
 * other stores.
 */
export const forgetEvents = (oldest: OldEvents, write: Write) => {
  const forgetSome = (storeId: bigint, before: number): Promise<number> =>
    write(storeId, async ({ events, webhooks }) => {
      const deliveries = await webhooks.forgetDeliveries(before, ROWS_PER_TRANSACTION);
      return deliveries > 0 ? deliveries : events.forget(before, ROWS_PER_TRANSACTION);
    });

  return async (before: number): Promise<number> => {
    let count = 0;
    for (;;) {
      const stores = await oldest.stores(before, STORES_PER_READ);
      if (stores.length === 0) return count;
      for (const storeId of stores) count += await forgetSome(storeId, before);
    }
  };
};

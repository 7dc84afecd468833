import type { WriteInStore } from '../../kernel/operation.ts';
import type { EventRepository, OldEvents } from '../events/events.repository.ts';
import type { WebhookRepository } from './webhooks.repository.ts';

type Repositories = { events: EventRepository; webhooks: WebhookRepository };

type Deps = {
  oldest: OldEvents;
  write: WriteInStore<Repositories>;
};

/** So many rows in one transaction: others wait while it runs. */
const AT_ONCE = 1000;
const STORES_AT_ONCE = 100;

/** Removes events from before an instant, and what is left of their deliveries, in small batches. Returns how many rows. */
export const forgetEvents =
  ({ oldest, write }: Deps) =>
  async (before: number): Promise<number> => {
    let count = 0;
    for (const storeId of await oldest.stores(before, STORES_AT_ONCE)) {
      for (let removed = 1; removed > 0; count += removed) {
        removed = await write(storeId, async ({ events, webhooks }) => {
          const deliveries = await webhooks.forgetDeliveries(before, AT_ONCE);
          return deliveries > 0 ? deliveries : events.forget(before, AT_ONCE);
        });
      }
    }
    return count;
  };

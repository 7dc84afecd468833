import type { EventRepository, OldEvents } from '../events/events.repository.ts';
import type { WriteInStore } from '../kernel/write-in-store.ts';
import type { WebhookRepository } from './webhooks.repository.ts';

type Repositories = { events: EventRepository; webhooks: WebhookRepository };

type Deps = {
  /** The instant before which nothing is kept. */
  before(): number;
  oldest: OldEvents;
  write: WriteInStore<Repositories>;
};

/** So many rows in one transaction: others wait while it runs. */
const AT_ONCE = 1000;
const STORES_AT_ONCE = 100;

/** Removes events that are kept no longer, and what is left of their deliveries, in small batches. */
export const forgetEvents =
  ({ before, oldest, write }: Deps) =>
  async (): Promise<void> => {
    const limit = before();
    for (const storeId of await oldest.stores(limit, STORES_AT_ONCE)) {
      const forgetSome = () =>
        write(storeId, async ({ events, webhooks }) => {
          const deliveries = await webhooks.forgetDeliveries(limit, AT_ONCE);
          return deliveries > 0 ? deliveries : events.forget(limit, AT_ONCE);
        });
      while ((await forgetSome()) > 0);
    }
  };

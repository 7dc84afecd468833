import type { WriteInStore } from '../kernel/operation.ts';
import type { DueEndpoint, Untold, WebhookRepository } from '../resources/webhooks/webhooks.repository.ts';

/** Ends deliveries of what the key of a webhook may not read any more. */
export const giveUpDeliveries =
  (write: WriteInStore<{ webhooks: WebhookRepository }>) =>
  (endpoint: DueEndpoint, untold: readonly Untold[]): Promise<void> =>
    write(endpoint.storeId, async ({ webhooks }) => {
      for (const { delivery, why } of untold) await webhooks.giveUp(delivery, why);
    });

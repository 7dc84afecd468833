import type { WriteInStore } from '../kernel/operation.ts';
import type { DeliveryQueue, WebhookRepository } from '../resources/webhooks/webhooks.repository.ts';

type Deps = {
  queue: Pick<DeliveryQueue, 'lagging'>;
  write: WriteInStore<{ webhooks: Pick<WebhookRepository, 'fanOut'> }>;
};

/** Maximum deliveries added per commit. Other writers wait during the commit. */
const ROWS_PER_COMMIT = 1000;

/**
 * Adds the deliveries of new events in short transactions after the commit, for an engine whose writers share one
 * connection. Each commit announces its store, so all stores are searched only once, after the start. A store whose
 * transaction failed is tried again with all stores.
 */
export const fanOutEvents = ({ queue, write }: Deps) => {
  const lagging = new Set<bigint>();
  let isSearched = false;

  const search = async (storeId: bigint | undefined): Promise<void> => {
    if (storeId === undefined && isSearched) return;
    for (const found of await queue.lagging(storeId)) lagging.add(found);
    isSearched ||= storeId === undefined;
  };

  /** Covers all stores if `storeId` is undefined. Returns whether more events are left. */
  return async (storeId: bigint | undefined): Promise<boolean> => {
    await search(storeId);
    for (const each of storeId === undefined ? [...lagging] : [storeId]) {
      if (!lagging.has(each)) continue;
      if (!(await write(each, ({ webhooks }) => webhooks.fanOut(ROWS_PER_COMMIT)))) lagging.delete(each);
    }
    return storeId === undefined ? lagging.size > 0 : lagging.has(storeId);
  };
};

import type { WriteInStore } from '../kernel/operation.ts';
import type { DeliveryQueue, WebhookRepository } from '../resources/webhooks/webhooks.repository.ts';

type Deps = {
  queue: Pick<DeliveryQueue, 'lagging'>;
  write: WriteInStore<{ webhooks: Pick<WebhookRepository, 'fanOut'> }>;
};

/** Maximum number of rows per transaction. Other writers wait while the transaction runs. */
const ROWS_PER_COMMIT = 1000;

/** On SQLite, each commit wakes the dispatcher for its store, so a search of all stores is needed only at startup. */
export const fanOutEvents = ({ queue, write }: Deps) => {
  const lagging = new Set<bigint>();
  let isSearched = false;

  return async (storeId: bigint | undefined): Promise<boolean> => {
    if (storeId !== undefined || !isSearched) for (const found of await queue.lagging(storeId)) lagging.add(found);
    isSearched ||= storeId === undefined;
    for (const each of storeId === undefined ? [...lagging] : [storeId]) {
      if (!lagging.has(each)) continue;
      if (!(await write(each, ({ webhooks }) => webhooks.fanOut(ROWS_PER_COMMIT)))) lagging.delete(each);
    }
    return storeId === undefined ? lagging.size > 0 : lagging.has(storeId);
  };
};

import { type MoveStores, moveOrder } from './move-order.ts';
import type { DueOrders } from './orders.store.ts';

type Deps = {
  now(): number;
  due: DueOrders;
  /** Runs `body` in a transaction of that store. */
  write(storeId: bigint, body: (stores: MoveStores) => Promise<boolean>): Promise<boolean>;
};

/** So many orders at a time, so that requests get in between. */
const MOST = 500;

/** Ends the hold of every order that nobody approved in time, each in a transaction of its own. */
export const expireOrders = ({ now, due, write }: Deps) => {
  const expire = async (stores: MoveStores, id: bigint): Promise<boolean> => {
    const order = await stores.orders.lock(id);
    // Somebody may have approved or cancelled it since it was found.
    if (order?.status !== 'placed' || order.expiresAt === null || order.expiresAt > stores.now()) return false;
    await moveOrder(stores, order, 'expired');
    return true;
  };

  return async (): Promise<void> => {
    // However many holds end together, all those animals are free after this run: the next may come too late.
    for (let isMore = true; isMore; ) {
      const orders = await due.list(now(), MOST);
      const expired = await Promise.all(orders.map(({ storeId, id }) => write(storeId, (own) => expire(own, id))));
      isMore = orders.length === MOST && expired.includes(true);
    }
  };
};

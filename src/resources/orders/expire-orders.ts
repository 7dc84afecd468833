import { type MoveRepositories, moveOrder } from './move-order.ts';
import type { DueOrders } from './orders.repository.ts';

type Deps = {
  now(): number;
  due: DueOrders;
  /** Runs `body` in a transaction of that store. */
  write(storeId: bigint, body: (repositories: MoveRepositories) => Promise<boolean>): Promise<boolean>;
};

const FOUND_AT_ONCE = 500;
/** So many are ended side by side: more would keep requests waiting, and each other, where each has a connection to itself. */
const ENDED_AT_ONCE = 50;

/** Ends the hold of every order that nobody approved in time, each in a transaction of its own. */
export const expireOrders = ({ now, due, write }: Deps) => {
  const expire = async (repositories: MoveRepositories, id: bigint): Promise<boolean> => {
    const order = await repositories.orders.lock(id);
    // Somebody may have approved or cancelled it since it was found: then it has no end.
    if (order?.expiresAt == null || order.expiresAt > repositories.now()) return false;
    await moveOrder(repositories, order, 'expired');
    return true;
  };

  return async (): Promise<void> => {
    // However many holds end together, all those animals are free after this run: the next may come too late.
    for (let isMore = true; isMore; ) {
      const orders = await due.list(now(), FOUND_AT_ONCE);
      let hasEnded = false;
      for (let first = 0; first < orders.length; first += ENDED_AT_ONCE) {
        const some = orders.slice(first, first + ENDED_AT_ONCE);
        const ended = await Promise.all(some.map(({ storeId, id }) => write(storeId, (own) => expire(own, id))));
        hasEnded ||= ended.includes(true);
      }
      isMore = orders.length === FOUND_AT_ONCE && hasEnded;
    }
  };
};

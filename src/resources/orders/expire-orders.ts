import { type DueOrders, moveOrder, type OrderRepositories } from './orders.repository.ts';

type Deps = {
  now(): number;
  due: DueOrders;
  write(storeId: bigint, body: (repositories: OrderRepositories) => Promise<boolean>): Promise<boolean>;
};

const FOUND_PER_RUN = 500;
/** Expiring more orders at a time would delay requests: on PostgreSQL, each order uses a connection. */
const EXPIRED_IN_PARALLEL = 50;

export const expireOrders = ({ now, due, write }: Deps) => {
  const expire = async (repositories: OrderRepositories, id: bigint): Promise<boolean> => {
    const order = await repositories.orders.lock(id);
    // The order may have been approved or cancelled since `due.list` found it.
    if (order?.expiresAt == null || order.expiresAt > repositories.now()) return false;
    await moveOrder(repositories, order, 'expired');
    return true;
  };

  return async (): Promise<void> => {
    // Repeats until no expired orders are left, because each expired order still reserves its pet.
    for (let isMore = true; isMore; ) {
      const orders = await due.list(now(), FOUND_PER_RUN);
      let hasEnded = false;
      for (let first = 0; first < orders.length; first += EXPIRED_IN_PARALLEL) {
        const some = orders.slice(first, first + EXPIRED_IN_PARALLEL);
        const ended = await Promise.all(some.map(({ storeId, id }) => write(storeId, (own) => expire(own, id))));
        hasEnded ||= ended.includes(true);
      }
      isMore = orders.length === FOUND_PER_RUN && hasEnded;
    }
  };
};

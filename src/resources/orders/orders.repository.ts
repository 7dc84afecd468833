import type { PageRequest } from '../../kernel/contract.ts';
import type { Order, OrderStatus } from './order.ts';

type OrderFilter = { status?: OrderStatus | undefined; petId?: bigint | undefined };

export type OrderReads = {
  find(id: bigint): Promise<Order | undefined>;
  list(filter: OrderFilter, page: PageRequest<bigint>): Promise<Order[]>;
};

export type OrderRepository = OrderReads & {
  /** Finds an order and locks it until the end of the transaction. */
  lock(id: bigint): Promise<Order | undefined>;
  /** Inserts an order under an id that has never been used in any store. */
  insert(order: Omit<Order, 'id'>): Promise<Order>;
  update(order: Order): Promise<void>;
  /** Removes up to `most` orders, oldest first. Returns the number removed. */
  removeSome(most: number): Promise<number>;
};

/** Lists orders, in all stores, whose hold on a pet has expired. */
export type DueOrders = { list(now: number, most: number): Promise<{ storeId: bigint; id: bigint }[]> };

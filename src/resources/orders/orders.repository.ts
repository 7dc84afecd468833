import type { PageRequest } from '../../kernel/contract.ts';
import { orNotFound } from '../../kernel/failure.ts';
import type { Order, OrderStatus } from './order.ts';

type OrderFilter = { status?: OrderStatus | undefined; petId?: bigint | undefined };

export type OrderReads = {
  find(id: bigint): Promise<Order | undefined>;
  /** The orders that match every filter, by id, strictly behind a position. */
  list(filter: OrderFilter, page: PageRequest<bigint>): Promise<Order[]>;
};

/** The orders of one store. */
export type OrderRepository = OrderReads & {
  /** The order as it is, kept from changing until the transaction ends. */
  lock(id: bigint): Promise<Order | undefined>;
  /** Gives the order an id that was never used before, in any store. */
  insert(order: Omit<Order, 'id'>): Promise<Order>;
  /** Keeps what may change of an order: status and times. */
  update(order: Order): Promise<void>;
  /** Removes so many orders of the store, the oldest first, and says how many there were. */
  removeSome(most: number): Promise<number>;
};

/** The orders of all stores whose hold has ended. */
export type DueOrders = { list(now: number, most: number): Promise<{ storeId: bigint; id: bigint }[]> };

/** The order, or the refusal that there is none. */
export const findOrder = async (orders: OrderReads, id: bigint): Promise<Order> =>
  orNotFound(await orders.find(id), 'order', id);

/** The same, to change it: nobody else does until the transaction ends. */
export const lockOrder = async (orders: OrderRepository, id: bigint): Promise<Order> =>
  orNotFound(await orders.lock(id), 'order', id);

import type { PageRequest } from '../../kernel/contract.ts';
import type { Order, OrderStatus, PlacedPosition } from './order.ts';

type OrderFilter = { status?: OrderStatus | undefined; petId?: bigint | undefined };

/** Orders placed exactly at `placedFrom` match; orders placed exactly at `placedTo` do not. */
type PlacedFilter = {
  status?: OrderStatus | undefined;
  placedFrom?: number | undefined;
  placedTo?: number | undefined;
};

export type OrderReads = {
  find(id: bigint): Promise<Order | undefined>;
  list(filter: OrderFilter, page: PageRequest<bigint>): Promise<Order[]>;
  listPlaced(filter: PlacedFilter, page: PageRequest<PlacedPosition>): Promise<Order[]>;
};

export type OrderRepository = OrderReads & {
  lock(id: bigint): Promise<Order | undefined>;
  /** The new order never gets the id of a deleted order. */
  insert(order: Omit<Order, 'id'>): Promise<Order>;
  update(order: Order): Promise<void>;
  removeSome(most: number): Promise<number>;
};

export type DueOrders = { list(now: number, most: number): Promise<{ storeId: bigint; id: bigint }[]> };

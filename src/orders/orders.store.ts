import type { Order } from './order.ts';

/** The orders of one store. */
export type OrderStore = {
  /** Gives the order an id that was never used before, in any store. */
  insert(order: Omit<Order, 'id'>): Promise<Order>;
  removeAll(): Promise<void>;
};

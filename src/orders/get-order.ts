import { reads } from '../kernel/operation.ts';
import { getOrderContract } from './get-order.contract.ts';
import { toOrderBody } from './order.ts';
import { findOrder, type OrderReads } from './orders.store.ts';

export const getOrder = reads(getOrderContract, async (stores: { orders: OrderReads }, { path }) => ({
  body: toOrderBody(await findOrder(stores.orders, path.orderId)),
}));

import { reads } from '../kernel/operation.ts';
import { answerPage } from '../kernel/page.ts';
import { listOrdersContract } from './list-orders.contract.ts';
import { toOrderBody } from './order.ts';
import type { OrderReads } from './orders.store.ts';

export const listOrders = reads(listOrdersContract, async (stores: { orders: OrderReads }, { query, page }) => {
  const orders = await stores.orders.list(query, { ...page, limit: page.limit + 1 });
  return answerPage(orders, page, { body: toOrderBody, position: ({ id }) => String(id) });
});

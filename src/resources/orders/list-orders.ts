import { reads } from '../../kernel/operation.ts';
import { answerPage } from '../../kernel/page.ts';
import { toOrderBody } from './order.ts';
import { listOrdersContract } from './orders.contracts.ts';
import type { OrderReads } from './orders.repository.ts';

export const listOrders = reads(listOrdersContract, async (repositories: { orders: OrderReads }, { query, page }) => {
  const orders = await repositories.orders.list(query, { ...page, limit: page.limit + 1 });
  return answerPage(orders, page, { body: toOrderBody, position: ({ id }) => String(id) });
});

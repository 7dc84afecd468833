import { reads } from '../../kernel/operation.ts';
import { toOrderBody } from './order.ts';
import { getOrderContract } from './orders.contracts.ts';
import { findOrder, type OrderReads } from './orders.repository.ts';

export const getOrder = reads(getOrderContract, async (repositories: { orders: OrderReads }, { path }) => ({
  body: toOrderBody(await findOrder(repositories.orders, path.orderId)),
}));

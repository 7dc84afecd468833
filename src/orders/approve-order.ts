import { writes } from '../kernel/operation.ts';
import { approveOrderContract } from './approve-order.contract.ts';
import { type MoveStores, moveOrder } from './move-order.ts';
import { toOrderBody } from './order.ts';
import { lockOrder } from './orders.store.ts';

export const approveOrder = writes(approveOrderContract, async (stores: MoveStores, { path }) => {
  const order = await lockOrder(stores.orders, path.orderId);
  return { body: toOrderBody(await moveOrder(stores, order, 'approved')) };
});

import { writes } from '../../kernel/operation.ts';
import { type MoveRepositories, moveOrder } from './move-order.ts';
import { toOrderBody } from './order.ts';
import { approveOrderContract } from './orders.contracts.ts';
import { lockOrder } from './orders.repository.ts';

export const approveOrder = writes(approveOrderContract, async (repositories: MoveRepositories, { path }) => {
  const order = await lockOrder(repositories.orders, path.orderId);
  return { body: toOrderBody(await moveOrder(repositories, order, 'approved')) };
});

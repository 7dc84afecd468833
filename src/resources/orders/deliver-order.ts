import { writes } from '../../kernel/operation.ts';
import { type MoveRepositories, moveOrder } from './move-order.ts';
import { toOrderBody } from './order.ts';
import { deliverOrderContract } from './orders.contracts.ts';
import { lockOrder } from './orders.repository.ts';

export const deliverOrder = writes(deliverOrderContract, async (repositories: MoveRepositories, { path }) => {
  const order = await lockOrder(repositories.orders, path.orderId);
  return { body: toOrderBody(await moveOrder(repositories, order, 'delivered')) };
});

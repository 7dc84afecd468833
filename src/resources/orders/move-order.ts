import { orNotFound } from '../../kernel/failure.ts';
import { writes } from '../../kernel/operation.ts';
import { toOrderBody } from './order.ts';
import { approveOrderContract, cancelOrderContract, deliverOrderContract } from './orders.contracts.ts';
import { type Move, moveOrder, type OrderRepositories } from './orders.repository.ts';

type MoveContract = typeof approveOrderContract | typeof deliverOrderContract | typeof cancelOrderContract;

const movesTo = (contract: MoveContract, to: Move) =>
  writes(contract, async (repositories: OrderRepositories, { path: { orderId } }) => {
    const order = orNotFound(await repositories.orders.lock(orderId), 'order', orderId);
    return { body: toOrderBody(await moveOrder(repositories, order, to)) };
  });

export const approveOrder = movesTo(approveOrderContract, 'approved');
export const deliverOrder = movesTo(deliverOrderContract, 'delivered');
export const cancelOrder = movesTo(cancelOrderContract, 'cancelled');

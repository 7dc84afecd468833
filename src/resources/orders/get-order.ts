import { orNotFound } from '../../kernel/failure.ts';
import { reads } from '../../kernel/operation.ts';
import { toOrderBody } from './order.ts';
import { getOrderContract } from './orders.contracts.ts';
import type { OrderReads } from './orders.repository.ts';

export const getOrder = reads(getOrderContract, async ({ orders }: { orders: OrderReads }, { path: { orderId } }) => ({
  body: toOrderBody(orNotFound(await orders.find(orderId), 'order', orderId)),
}));

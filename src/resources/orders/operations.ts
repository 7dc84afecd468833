import { orNotFound } from '../../kernel/failure.ts';
import { reads } from '../../kernel/operation.ts';
import { listOrders } from './list-orders.ts';
import { approveOrder, cancelOrder, deliverOrder } from './move-order.ts';
import { toOrderBody } from './order.ts';
import { getOrderContract } from './orders.contracts.ts';
import type { OrderReads } from './orders.repository.ts';
import { placeOrder } from './place-order.ts';

const getOrder = reads(getOrderContract, async ({ orders }: { orders: OrderReads }, { path: { orderId } }) => ({
  body: toOrderBody(orNotFound(await orders.find(orderId), 'order', orderId)),
}));

export const orderOperations = [listOrders, placeOrder, getOrder, approveOrder, deliverOrder, cancelOrder];

import { getOrder } from './get-order.ts';
import { listOrders } from './list-orders.ts';
import { approveOrder, cancelOrder, deliverOrder } from './move-order.ts';
import { placeOrder } from './place-order.ts';

export const orderOperations = [listOrders, placeOrder, getOrder, approveOrder, deliverOrder, cancelOrder];

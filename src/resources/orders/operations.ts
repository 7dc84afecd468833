import { approveOrder } from './approve-order.ts';
import { cancelOrder } from './cancel-order.ts';
import { deliverOrder } from './deliver-order.ts';
import { getOrder } from './get-order.ts';
import { listOrders } from './list-orders.ts';
import { placeOrder } from './place-order.ts';

export const orderOperations = [listOrders, placeOrder, getOrder, approveOrder, deliverOrder, cancelOrder];

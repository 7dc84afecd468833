import { contract } from '../../kernel/contract.ts';
import { orderBody, orderIdText } from './order.ts';

export const getOrderContract = contract({
  id: 'getOrder',
  method: 'GET',
  path: '/store/orders/{orderId}',
  command: 'orders get',
  tag: 'Store',
  summary: 'Get an order',
  description: 'Returns one order, whatever its status.',
  scope: 'orders:read',
  input: { path: { orderId: orderIdText } },
  answer: { status: 200, description: 'The order', body: orderBody },
  stability: 'beta',
});

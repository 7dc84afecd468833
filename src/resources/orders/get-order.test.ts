import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { expectError } from '../../../test/expect-answer.ts';
import { type Service, startService } from '../../../test/service.ts';
import { createShop, type Shop } from '../../../test/shop.ts';

let service: Service;
let shop: Shop;
beforeAll(async () => {
  service = await startService();
  shop = createShop(service);
});
afterAll(() => service.stop());

describe('getOrder', () => {
  test('returns the order', async () => {
    const { body: order } = await shop.order(await shop.addPet());
    const { status, body } = await service.get(`/v1/store/orders/${order.id}`);
    expect(status).toBe(200);
    expect(body).toEqual(order);
  });

  test('returns the order even if the pet was deleted', async () => {
    const { orderId, petId } = await shop.placed();
    await shop.move(orderId, 'cancel');
    await service.call('DELETE', `/v1/pets/${petId}`);
    expect((await service.get(`/v1/store/orders/${orderId}`)).body).toMatchObject({ petId, status: 'cancelled' });
  });

  test.each(['999999', '0', '-1', '007', '+1', '1.0', 'abc', '9223372036854775808'])(
    'returns 404 for the unknown id %s',
    async (id) => {
      expectError(await service.get(`/v1/store/orders/${id}`), 'not_found', 404);
    },
  );

  test('returns 404 for an order in another store', async () => {
    const { orderId } = await shop.placed();
    const key = await service.issueKey({ storeId: 2 });
    expectError(await service.get(`/v1/store/orders/${orderId}`, { key }), 'not_found', 404);
  });
});

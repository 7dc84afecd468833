import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type Service, startService } from '../../../test/service.ts';
import { createShop, type Shop } from '../../../test/shop.ts';

let service: Service;
let shop: Shop;
beforeAll(async () => {
  service = await startService();
  shop = createShop(service);
});
afterAll(() => service.stop());

const ROUNDS = 5;

describe('concurrent orders', () => {
  test(`for one pet: 200 requests get one 201 and 199 times 409, in ${ROUNDS} rounds`, async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const petId = await shop.addPet();
      const kinds = await shop.orderTogether(Array.from({ length: 200 }, () => petId));
      expect(kinds).toEqual({ '201 placed': 1, '409 pet_not_available': 199 });
    }
    expect(await shop.events("type = 'order.placed'")).toHaveLength(ROUNDS);
  });

  test('keep an order and its pet consistent during concurrent transitions', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { orderId, petId } = await shop.placed();
      const answers = await Promise.all([
        shop.move(orderId, round % 2 ? 'approve' : 'cancel'),
        shop.move(orderId, 'cancel'),
        shop.move(orderId, 'deliver'),
        shop.order(petId),
      ]);
      const { body } = await service.get(`/v1/store/orders/${orderId}`);
      const open = (await service.get(`/v1/store/orders?petId=${petId}&status=placed`)).body.length;
      expect(['cancelled', 'delivered']).toContain(body.status);
      const petStatus = (await shop.pet(petId)).status;
      expect(petStatus).toBe(body.status === 'delivered' ? 'sold' : open === 1 ? 'pending' : 'available');
      expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    }
  });
});

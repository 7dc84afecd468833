import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { followPages, rowsOf } from '../../test/follow-pages.ts';
import { type Service, startService } from '../../test/service.ts';
import { createShop, type Shop } from '../../test/shop.ts';

let service: Service;
let shop: Shop;
beforeAll(async () => {
  service = await startService();
  shop = createShop(service);
});
afterAll(() => service.stop());

const TIMEOUT_MS = 120_000;

/** How many answers there are of each kind. */
const tally = (kinds: readonly string[]): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(kinds, (kind) => kind)].map(([kind, all]) => [kind, all.length]));

/** Sends all orders at once and says how each was answered. */
const orderAll = (petIds: readonly number[]): Promise<string[]> =>
  Promise.all(
    petIds.map(async (petId) => {
      const { status, body } = await shop.order(petId);
      return `${status} ${body.status === status ? body.code : body.status}`;
    }),
  );

describe('orders that come together', () => {
  test(
    '200 for one animal give one 201 and 199 times 409, a hundred times over',
    async () => {
      for (let round = 0; round < 100; round += 1) {
        const petId = await shop.addPet();
        const kinds = await orderAll(Array.from({ length: 200 }, () => petId));
        expect(tally(kinds)).toEqual({ '201 placed': 1, '409 pet_not_available': 199 });
      }
      expect(await shop.events("type = 'order.placed'")).toHaveLength(100);
    },
    TIMEOUT_MS,
  );

  test(
    '10,000 for 100 animals place exactly 100, one for each',
    async () => {
      const before = await shop.inventory();
      const petIds = await Promise.all(Array.from({ length: 100 }, () => shop.addPet()));
      const kinds = await orderAll(Array.from({ length: 10_000 }, (_, index) => petIds[index % 100] as number));
      expect(tally(kinds)).toEqual({ '201 placed': 100, '409 pet_not_available': 9900 });

      for (const petId of petIds) {
        expect((await service.get(`/v1/store/orders?petId=${petId}`)).body).toHaveLength(1);
      }
      expect(await shop.inventory()).toEqual({ ...before, pending: before.pending + 100 });
      const pets = rowsOf(await followPages(service, '/v1/pets?limit=100&status=pending'));
      expect(pets.map(({ id }) => id)).toEqual(expect.arrayContaining(petIds));
    },
    TIMEOUT_MS,
  );

  test('leave an order and its animal in step when moves of that order come with them', async () => {
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
      const animal = (await shop.pet(petId)).status;
      expect(animal).toBe(body.status === 'delivered' ? 'sold' : open === 1 ? 'pending' : 'available');
      expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    }
  });
});

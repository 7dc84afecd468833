import { afterAll, beforeAll, expect } from 'bun:test';
import { followPages, rowsOf } from '../test/follow-pages.ts';
import { type Service, startService } from '../test/service.ts';
import { createShop, type Shop } from '../test/shop.ts';
import { proof } from './proof.ts';

const ROUNDS = 100;

let service: Service;
let shop: Shop;
beforeAll(async () => {
  service = await startService();
  shop = createShop(service);
});
afterAll(() => service.stop());

proof(`200 orders for one pet: one gets 201 and 199 get 409, in each of ${ROUNDS} rounds`, async ({ figure }) => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const petId = await shop.addPet();
    const kinds = await shop.orderTogether(Array.from({ length: 200 }, () => petId));
    expect(kinds).toEqual({ '201 placed': 1, '409 pet_not_available': 199 });
  }
  expect(await shop.events("type = 'order.placed'")).toHaveLength(ROUNDS);
  figure(`${ROUNDS} of ${200 * ROUNDS} orders placed`);
});

proof('of 10,000 orders for 100 pets, exactly 100 succeed, one per pet', async ({ figure }) => {
  const before = await shop.inventory();
  const petIds = await Promise.all(Array.from({ length: 100 }, () => shop.addPet()));
  const kinds = await shop.orderTogether(Array.from({ length: 10_000 }, (_, index) => petIds[index % 100] as number));
  figure(`${kinds['201 placed']} orders placed`);
  expect(kinds).toEqual({ '201 placed': 100, '409 pet_not_available': 9900 });

  for (const petId of petIds) {
    expect((await service.get(`/v1/store/orders?petId=${petId}`)).body).toHaveLength(1);
  }
  expect(await shop.inventory()).toEqual({ ...before, pending: before.pending + 100 });
  const pets = rowsOf(await followPages(service, '/v1/pets?limit=100&status=pending'));
  expect(pets.map(({ id }) => id)).toEqual(expect.arrayContaining(petIds));
});

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { expectError } from '../../../test/expect-answer.ts';
import { createTestClock, type Service, startService } from '../../../test/service.ts';
import { createShop, type Shop } from '../../../test/shop.ts';

let service: Service;
let shop: Shop;
beforeAll(async () => {
  service = await startService();
  shop = createShop(service);
});
afterAll(() => service.stop());

const remove = (id: unknown, key?: string) => service.call('DELETE', `/v1/pets/${id}`, key ? { key } : {});

describe('deletePet', () => {
  test('returns 204 without a body and deletes the pet', async () => {
    const id = await shop.addPet();
    const { status, text, headers } = await remove(id);
    expect([status, text]).toEqual([204, '']);
    expect(headers.get('etag')).toBeNull();
    expect((await service.get(`/v1/pets/${id}`)).status).toBe(404);
    expect((await service.get(`/v1/pets?ids=${id}`)).body).toEqual([]);
    expectError(await shop.change(id, { name: 'Bella' }), 'not_found', 404);
  });

  test('returns 404 the second time', async () => {
    const id = await shop.addPet();
    await remove(id);
    expectError(await remove(id), 'not_found', 404);
  });

  test.each(['999999', '0', '007', 'abc', '9223372036854775808'])('returns 404 for the id %s', async (id) => {
    expectError(await remove(id), 'not_found', 404);
  });

  test('returns 404 for a pet in another store, and keeps the pet', async () => {
    const id = await shop.addPet();
    expectError(await remove(id, await service.issueKey({ storeId: 2 })), 'not_found', 404);
    expect((await shop.pet(id)).name).toBe('Rex');
  });

  test.each(['available', 'pending', 'sold'])('deletes a pet that is %s, and updates the inventory', async (status) => {
    const before = await shop.inventory();
    const id = await shop.addPet({ status });
    expect(await shop.inventory()).toEqual({ ...before, [status]: before[status] + 1 });
    expect((await remove(id)).status).toBe(204);
    expect(await shop.inventory()).toEqual(before);
  });

  test('never reuses the id of a deleted pet, even after a restart', async () => {
    const id = await shop.addPet();
    await remove(id);
    expect(await shop.addPet()).toBeGreaterThan(id);
    const last = await shop.addPet();
    await remove(last);
    await service.restart();
    expect(await shop.addPet()).toBeGreaterThan(last);
  });

  test('writes pet.deleted with the pet before its deletion', async () => {
    const id = await shop.addPet({ name: 'Bella', status: 'sold' });
    const { headers } = await remove(id);
    expect((await shop.events(`pet_id = ${id}`)).at(-1)).toMatchObject({
      type: 'pet.deleted',
      data: { object: { id, name: 'Bella', categoryId: 1, status: 'sold' } },
      request_id: headers.get('x-request-id'),
      order_id: null,
    });
  });

  test('keeps the category of the pet', async () => {
    await remove(await shop.addPet({ categoryId: 5150 }));
    expect((await service.get('/v1/categories/5150')).status).toBe(200);
  });

  test('still works after getPet is removed', async () => {
    const later = await startService({ clock: createTestClock('2030-12-05T00:00:00Z') });
    const id = await createShop(later).addPet();
    expect((await later.call('DELETE', `/v1/pets/${id}`)).status).toBe(204);
    await later.stop();
  });
});

describe('a pet held by an order', () => {
  test('cannot be deleted while the order is placed or approved', async () => {
    const { orderId, petId } = await shop.placed();
    expectError(await remove(petId), 'pet_reserved', 409);
    await shop.move(orderId, 'approve');
    const answer = await remove(petId);
    expectError(answer, 'pet_reserved', 409);
    expect(answer.body.message).toContain(String(orderId));
    expect((await shop.pet(petId)).status).toBe('pending');
    expect(await shop.events(`pet_id = ${petId} AND type = 'pet.deleted'`)).toEqual([]);
  });

  test.each(['cancel', 'approve, deliver'])('can be deleted once the order has ended: %s', async (verbs) => {
    const { orderId, petId } = await shop.placed();
    for (const verb of verbs.split(', ')) await shop.move(orderId, verb);
    expect((await remove(petId)).status).toBe(204);
    expect((await service.get(`/v1/store/orders/${orderId}`)).body.petId).toBe(petId);
    expect((await service.get(`/v1/store/orders?petId=${petId}`)).body).toHaveLength(1);
  });

  test('is either ordered or deleted by concurrent requests, never both', async () => {
    for (let round = 0; round < 20; round += 1) {
      const id = await shop.addPet();
      const placing = round % 2 === 0 ? shop.order(id) : undefined;
      const [removal, order] = await Promise.all([remove(id), placing ?? shop.order(id)]);
      expect([
        [201, 409],
        [404, 204],
      ]).toContainEqual([order.status, removal.status]);
    }
  });
});

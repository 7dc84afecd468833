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

const eventsOf = async (id: number) =>
  (await shop.events(`pet_id = ${id} AND type != 'pet.created'`)).map(({ type, data }) => ({
    type,
    object: data.object,
    previous: data.previous,
  }));

describe('the events of a change', () => {
  test('record name and category in one event, with only their previous values', async () => {
    const id = await shop.addPet();
    const { body } = await shop.change(id, { name: 'Bella', categoryId: 2, status: 'available' });
    expect(await eventsOf(id)).toEqual([
      { type: 'pet.updated', object: body, previous: { name: 'Rex', categoryId: 1 } },
    ]);
  });

  test('record a single field', async () => {
    const id = await shop.addPet();
    const { body } = await shop.change(id, { name: 'Rex', categoryId: 2 });
    expect(await eventsOf(id)).toEqual([{ type: 'pet.updated', object: body, previous: { categoryId: 1 } }]);
  });

  test('record a status alone', async () => {
    const id = await shop.addPet();
    const { body } = await shop.change(id, { status: 'sold' });
    expect(await eventsOf(id)).toEqual([
      { type: 'pet.status_changed', object: body, previous: { status: 'available' } },
    ]);
  });

  test('record both, first the fields and then the status', async () => {
    const id = await shop.addPet();
    const { body } = await shop.change(id, { status: 'pending', name: 'Bella' });
    expect(await eventsOf(id)).toEqual([
      { type: 'pet.updated', object: body, previous: { name: 'Rex' } },
      { type: 'pet.status_changed', object: body, previous: { status: 'available' } },
    ]);
  });

  test('keep every digit of a category, before and after', async () => {
    const id = (await service.post('/v1/pets', '{"name":"Rex","categoryId":9223372036854775807}')).body.id;
    await shop.change(id, '{"categoryId":9223372036854775806}');
    expect(await eventsOf(id)).toMatchObject([
      { object: { categoryId: 9223372036854775806n }, previous: { categoryId: 9223372036854775807n } },
    ]);
  });

  test('name the key and the request, and no order', async () => {
    const id = await shop.addPet();
    const { headers } = await shop.change(id, { name: 'Bella', status: 'sold' });
    const events = await shop.events(`pet_id = ${id} AND type != 'pet.created'`);
    expect(events).toHaveLength(2);
    for (const event of events) {
      expect(event).toMatchObject({
        request_id: headers.get('x-request-id'),
        actor_key_id: expect.stringMatching(/^key_/),
        order_id: null,
      });
    }
  });

  test('are not written for a refused change', async () => {
    const id = await shop.addPet({ status: 'sold' });
    const before = (await shop.events('1 = 1')).length;
    await shop.change(id, { status: 'available', name: 'Bella', categoryId: 8000 });
    await shop.change(id, { name: 'Bella' }, { 'If-Match': '"7"' });
    await shop.change(id, { name: null });
    expect(await shop.events('1 = 1')).toHaveLength(before);
    expect((await service.get('/v1/categories/8000')).status).toBe(404);
  });
});

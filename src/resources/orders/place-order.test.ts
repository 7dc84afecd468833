import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readRows } from '../../../test/database.ts';
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

describe('placeOrder', () => {
  test('returns the order, its Location and the end of its hold', async () => {
    const petId = await shop.addPet();
    const { status, body, headers } = await shop.order(petId);
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(Number),
      petId,
      status: 'placed',
      placedAt: '2026-11-20T12:00:00.000Z',
      updatedAt: '2026-11-20T12:00:00.000Z',
      expiresAt: '2026-11-20T13:00:00.000Z',
    });
    expect(Object.keys(body)).toEqual(['id', 'petId', 'status', 'placedAt', 'updatedAt', 'expiresAt']);
    expect(headers.get('location')).toBe(service.url(`/v1/store/orders/${body.id}`));
    expect((await service.get(`/v1/store/orders/${body.id}`)).body).toEqual(body);
  });

  test('stores which key placed the order', async () => {
    const { body } = await shop.order(await shop.addPet());
    const { id } = (await service.get('/v1/keys/me')).body;
    const rows = await readRows(service.place, `SELECT placed_by_key_id FROM orders WHERE id = ${body.id}`);
    expect(rows).toEqual([{ placed_by_key_id: id }]);
  });

  test('sets the pet to pending, increments its version and updates the inventory', async () => {
    const petId = await shop.addPet();
    const before = await shop.inventory();
    await shop.order(petId);
    expect(await shop.pet(petId)).toMatchObject({ status: 'pending', version: '"2"' });
    expect(await shop.inventory()).toEqual({
      ...before,
      available: before.available - 1,
      pending: before.pending + 1,
    });
  });

  test('writes the events of the order and its pet, with the ids of the order and the key', async () => {
    const petId = await shop.addPet();
    const { body, headers } = await shop.order(petId);
    const behind = {
      order_id: body.id,
      actor_key_id: expect.stringMatching(/^key_/),
      request_id: headers.get('x-request-id'),
    };
    expect(await shop.events(`order_id = ${body.id}`)).toMatchObject([
      { ...behind, type: 'order.placed', pet_id: body.petId, data: { object: body } },
      {
        ...behind,
        type: 'pet.status_changed',
        pet_id: petId,
        data: {
          object: { id: petId, name: 'Rex', categoryId: 1, status: 'pending' },
          previous: { status: 'available' },
        },
      },
    ]);
  });

  test('holds the pet for the configured time', async () => {
    const hasty = await startService({ environment: { PETSTORE_ORDER_HOLD_SECONDS: '5' } });
    const { body } = await createShop(hasty).order(await createShop(hasty).addPet());
    expect(body.expiresAt).toBe('2026-11-20T12:00:05.000Z');
    await hasty.stop();
  });

  test('assigns ascending ids, and accepts a pet again once it is available', async () => {
    const { orderId, petId } = await shop.placed();
    await shop.move(orderId, 'cancel');
    const again = await shop.order(petId);
    expect(again.status).toBe(201);
    expect(again.body.id).toBeGreaterThan(orderId);
  });

  test.each(['pending', 'sold'])('refuses a pet that is %s', async (status) => {
    const petId = await shop.addPet({ status });
    const answer = await shop.order(petId);
    expectError(answer, 'pet_not_available', 409);
    expect(answer.body.message).toContain(status);
    expect((await service.get(`/v1/store/orders?petId=${petId}`)).body).toEqual([]);
  });

  test('refuses a pet whose order is placed, approved or delivered', async () => {
    const { orderId, petId } = await shop.placed();
    for (const verb of [undefined, 'approve', 'deliver']) {
      if (verb) await shop.move(orderId, verb);
      expectError(await shop.order(petId), 'pet_not_available', 409);
    }
  });

  test.each(['999999', '0', '-1', '9223372036854775807', '-9223372036854775808'])(
    'returns 404 for the unknown pet %s',
    async (petId) => {
      expectError(await service.post('/v1/store/orders', `{"petId":${petId}}`), 'not_found', 404);
    },
  );

  test('returns 404 for a deleted pet, and for a pet in another store', async () => {
    const removed = await shop.addPet();
    await service.call('DELETE', `/v1/pets/${removed}`);
    expectError(await shop.order(removed), 'not_found', 404);

    // Each store numbers its pets separately, so a pet in another store can have the deleted pet's id.
    const key = await service.issueKey({ storeId: 2 });
    let foreign = 0;
    while (foreign < removed) foreign = await shop.addPet({}, { key });
    expectError(await shop.order(removed), 'not_found', 404);
    expect((await service.get(`/v1/pets?ids=${removed}`, { key })).body[0].status).toBe('available');
  });

  const refused: [string, string][] = [
    ['{}', 'petId: is required'],
    ['{"petId":null}', 'petId: must be an integer'],
    ['{"petId":"1"}', 'petId: must be an integer'],
    ['{"petId":1.5}', 'petId: must be an integer'],
    ['{"petId":9223372036854775808}', 'petId: must be an integer'],
    ['{"petId":-9223372036854775809}', 'petId: must be an integer'],
    ['{"petId":[1]}', 'petId: must be an integer'],
    ['[1]', 'body: must be a JSON object'],
    ['1', 'body: must be a JSON object'],
  ];
  test.each(refused)('refuses %s', async (sent, message) => {
    const answer = await service.post('/v1/store/orders', sent);
    expectError(answer, 'invalid_request', 400);
    expect(answer.body.message).toStartWith(message);
  });

  test('ignores unknown fields: quantity, status, id', async () => {
    const petId = await shop.addPet();
    const { body } = await service.post('/v1/store/orders', { petId, quantity: 3, status: 'delivered', id: 1 });
    expect(body).toMatchObject({ petId, status: 'placed' });
    expect(body).not.toHaveProperty('quantity');
  });

  test('changes nothing if the order is refused', async () => {
    const petId = await shop.addPet({ status: 'sold' });
    const before = [(await shop.events('1 = 1')).length, await shop.inventory(), await shop.pet(petId)];
    await shop.order(petId);
    await shop.order(999_999);
    await shop.order('x');
    expect([(await shop.events('1 = 1')).length, await shop.inventory(), await shop.pet(petId)]).toEqual(before);
  });
});

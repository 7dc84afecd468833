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

const create = async (name: string): Promise<number> => (await service.post('/v1/categories', { name })).body.id;
const merge = (id: unknown, body: unknown, key?: string) =>
  service.post(`/v1/categories/${id}/merge`, body, key === undefined ? {} : { key });
const count = async (categoryId: number) =>
  (await service.get(`/v1/pets?categoryId=${categoryId}&limit=100`)).body.length;

describe('mergeCategory', () => {
  test('moves pets of every status, and deletes the category', async () => {
    const [from, into] = [await create('Hounds'), await create('Doggos')];
    const pets = [];
    for (const status of ['available', 'pending', 'sold']) pets.push(await shop.addPet({ categoryId: from, status }));
    const inventory = (await service.get('/v1/store/inventory')).body;
    const { status, body } = await merge(from, { into });
    expect([status, body]).toEqual([200, { moved: 3, hasMore: false }]);
    expect([await count(from), await count(into)]).toEqual([0, 3]);
    expectError(await service.get(`/v1/categories/${from}`), 'not_found', 404);
    expect((await service.get(`/v1/categories/${into}`)).body.name).toBe('Doggos');
    expect((await service.get('/v1/store/inventory')).body).toEqual(inventory);
    expect((await service.get('/v1/events?order=desc&limit=4')).body.toReversed()).toMatchObject([
      ...pets.map((id) => ({
        type: 'pet.updated',
        data: { object: { id, categoryId: into }, previous: { categoryId: from } },
      })),
      {
        type: 'category.deleted',
        data: { object: { id: from, name: 'Hounds' }, mergedInto: { id: into, name: 'Doggos' } },
      },
    ]);
  });

  test('changes the version of a moved pet, and keeps the order that holds it', async () => {
    const [from, into] = [await create('X'), await create('Y')];
    const petId = await shop.addPet({ categoryId: from });
    const { body: order } = await shop.order(petId);
    const before = await service.get(`/v1/pets?ids=${petId}`);
    await merge(from, { into });
    const after = await service.get(`/v1/pets?ids=${petId}`);
    expect(after.body).toEqual([{ ...before.body[0], categoryId: into }]);
    expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'));
    expect((await shop.move(order.id, 'cancel')).status).toBe(200);
  });

  test('moves up to 100 pets per request, until none are left', async () => {
    const [from, into] = [await create('Many'), await create('More')];
    const batch = (pets: number) =>
      service.post('/v1/pets/batch', { pets: Array(pets).fill({ name: 'Ant', categoryId: from }) });
    await batch(105);
    expect((await merge(from, { into })).body).toEqual({ moved: 100, hasMore: true });
    expect((await service.get(`/v1/categories/${from}`)).body.name).toBe('Many');
    expect((await merge(from, { into })).body).toEqual({ moved: 5, hasMore: false });
    expectError(await merge(from, { into }), 'not_found', 404);
  });

  test('merges a category without pets', async () => {
    const [from, into] = [await create('Empty'), await create('Full')];
    expect((await merge(from, { into })).body).toEqual({ moved: 0, hasMore: false });
  });

  test('refuses an unknown category, and the category itself, and moves nothing', async () => {
    const from = await create('Alone');
    await shop.addPet({ categoryId: from });
    expectError(await merge(from, { into: 999_999 }), 'not_found', 404);
    expectError(await merge(999_999, { into: from }), 'not_found', 404);
    expectError(await merge(from, { into: from }), 'invalid_request', 400);
    expectError(await merge(from, {}), 'invalid_request', 400);
    expect(await count(from)).toBe(1);
  });

  test('moves nothing in another store', async () => {
    const key = await service.issueKey({ storeId: 2, scopes: ['categories:write', 'pets:read'] });
    const petId = await shop.addPet({ categoryId: 3 });
    expect((await merge(3, { into: 4 }, key)).body).toEqual({ moved: 0, hasMore: false });
    expect((await service.get(`/v1/pets?ids=${petId}`)).body[0].categoryId).toBe(3);
  });

  test('does not deadlock when two merges run in opposite directions', async () => {
    const [one, other] = [await create('One'), await create('Other')];
    for (const categoryId of [one, other]) await shop.addPet({ categoryId });
    const answers = await Promise.all([merge(one, { into: other }), merge(other, { into: one })]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect((await count(one)) + (await count(other))).toBe(2);
  });
});

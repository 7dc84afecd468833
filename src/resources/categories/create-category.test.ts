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

const create = (body: unknown) => service.post('/v1/categories', body);

describe('createCategory', () => {
  test('assigns the lowest free id from 1,000 up, and returns the Location', async () => {
    await shop.addPet({ categoryId: 1001 });
    await shop.addPet({ categoryId: 1003 });
    const ids = [];
    for (const name of ['Ants', 'Bees', 'Crabs']) {
      const { status, body, headers } = await create({ name });
      expect(status).toBe(201);
      expect(body).toEqual({ id: expect.any(Number), name });
      expect(headers.get('location')).toBe(service.url(`/v1/categories/${body.id}`));
      expect((await service.get(`/v1/categories/${body.id}`)).body).toEqual(body);
      ids.push(body.id);
    }
    expect(ids).toEqual([1000, 1002, 1004]);
  });

  test('assigns distinct ids to concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 30 }, (_, index) => create({ name: `Kind ${index}` })));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(30);
  });

  test('accepts a name that another category has', async () => {
    const [one, other] = [await create({ name: 'Dogs' }), await create({ name: 'Dogs' })];
    expect([one.status, other.status]).toEqual([201, 201]);
    expect(one.body.id).not.toBe(other.body.id);
  });

  test('keeps the name exactly as sent, and ignores an id', async () => {
    const { body } = await create({ name: '  Señor 🦔\n', id: 7 });
    expect(body.name).toBe('  Señor 🦔\n');
    expect(body.id).toBeGreaterThanOrEqual(1000);
  });

  test('writes category.created in the same transaction', async () => {
    const { body, headers } = await create({ name: 'Eels' });
    expect((await shop.events("type = 'category.created'")).at(-1)).toMatchObject({
      data: { object: body },
      pet_id: null,
      request_id: headers.get('x-request-id'),
    });
  });

  test('writes no event for a category created by adding a pet', async () => {
    const before = (await shop.events("type = 'category.created'")).length;
    await shop.addPet({ categoryId: 700 });
    expect(await shop.events("type = 'category.created'")).toHaveLength(before);
  });

  test.each(['{}', '{"name":null}', '{"name":""}', '{"name":7}', `{"name":"${'x'.repeat(256)}"}`])(
    'refuses %s and adds nothing',
    async (sent) => {
      const before = (await shop.events('1 = 1')).length;
      const answer = await create(sent);
      expectError(answer, 'invalid_request', 400);
      expect(answer.body.message).toStartWith('name: ');
      expect(await shop.events('1 = 1')).toHaveLength(before);
    },
  );
});

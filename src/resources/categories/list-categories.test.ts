import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { expectError } from '../../../test/expect-answer.ts';
import { followPages, relations, rowsOf } from '../../../test/follow-pages.ts';
import { type Service, startService } from '../../../test/service.ts';
import { createShop } from '../../../test/shop.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const FIRST = ['Dogs', 'Cats', 'Birds', 'Fish', 'Reptiles', 'Small mammals'].map((name, index) => ({
  id: index + 1,
  name,
}));

describe('listCategories', () => {
  test('lists the six initial categories', async () => {
    const { status, body } = await service.get('/v1/categories');
    expect(status).toBe(200);
    expect(body).toEqual(FIRST);
  });

  test('lists used and created categories by id, digit for digit', async () => {
    const key = await service.issueKey({ storeId: 2, scopes: ['pets:read', 'pets:write', 'categories:write'] });
    for (const categoryId of ['9223372036854775807', '-9223372036854775808', '0']) {
      await service.post('/v1/pets', `{"name":"Rex","categoryId":${categoryId}}`, { key });
    }
    await service.post('/v1/categories', { name: 'Hedgehogs' }, { key });
    const { text } = await service.get('/v1/categories', { key });
    expect(text).toBe(
      `[{"id":-9223372036854775808,"name":null},{"id":0,"name":null},${JSON.stringify(FIRST).slice(1, -1)},` +
        '{"id":1000,"name":"Hedgehogs"},{"id":9223372036854775807,"name":null}]',
    );
    expect((await service.get('/v1/categories')).body).toEqual(FIRST);
    const pages = await followPages(service, '/v1/categories?limit=2&order=desc', { key });
    expect(pages).toHaveLength(5);
    expect(rowsOf(pages).map(({ id }) => String(id))).toEqual([
      ...['9223372036854775807', '1000', '6', '5', '4', '3', '2', '1', '0', '-9223372036854775808'],
    ]);
  });

  test.each(['asc', 'desc'])('shows every category exactly once over all pages, %s', async (order) => {
    const pages = await followPages(service, `/v1/categories?limit=4&order=${order}`);
    expect(pages.map(({ body }) => body.length)).toEqual([4, 2]);
    expect(rowsOf(pages)).toEqual(order === 'asc' ? FIRST : FIRST.toReversed());
    expect(Object.keys(relations(pages[1] as (typeof pages)[0]))).toEqual(['first']);
  });

  test('counts the pets of each category on request, up to 1,000', async () => {
    const key = await service.issueKey({ storeId: 3, plan: 'enterprise', limits: { perMinute: 1000, perDay: 1000 } });
    const pets = Array.from({ length: 1000 }, () => ({ name: 'Rex', categoryId: 2 }));
    await service.post('/v1/pets/batch', { pets }, { key });
    await service.post('/v1/pets', { name: 'Rex', categoryId: 2, status: 'sold' }, { key });
    for (const status of ['available', 'sold'])
      await service.post('/v1/pets', { name: 'Mia', categoryId: 6, status }, { key });
    const { body } = await service.get('/v1/categories?count=pets', { key });
    expect(body).toEqual(FIRST.map((category, at) => ({ ...category, pets: [0, 1000, 0, 0, 0, 2][at] })));
    expect((await service.get('/v1/categories', { key })).body).toEqual(FIRST);
    const pages = await followPages(service, '/v1/categories?count=pets&limit=4', { key });
    expect(rowsOf(pages)).toEqual(body);
    expectError(await service.get('/v1/categories?count=dogs', { key }), 'invalid_parameter', 400);
  });

  test('refuses a cursor from another list', async () => {
    for (let count = 0; count < 2; count += 1) await createShop(service).addPet();
    const { next = '' } = relations(await service.get('/v1/pets?limit=1'));
    const cursor = new URL(next).searchParams.get('cursor');
    expectError(await service.get(`/v1/categories?limit=1&cursor=${cursor}`), 'invalid_cursor', 400);
  });
});

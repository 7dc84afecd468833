import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { changeRows } from '../../../test/database.ts';
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

const change = (id: unknown, body: unknown, headers: Record<string, string> = {}) =>
  service.call('PATCH', `/v1/categories/${id}`, { body, headers });

const written = async () => (await shop.events("type LIKE 'category.%'")).map(({ type, data }) => ({ type, ...data }));

describe('updateCategory', () => {
  test('names a category created by adding a pet, and writes category.updated', async () => {
    await service.post('/v1/pets', '{"name":"Rex","categoryId":9223372036854775807}');
    const { status, text } = await change('9223372036854775807', { name: 'Hedgehogs' });
    expect([status, text]).toEqual([200, '{"id":9223372036854775807,"name":"Hedgehogs"}']);
    expect((await service.get('/v1/categories/9223372036854775807')).text).toBe(text);
    expect((await written()).at(-1)).toEqual({
      type: 'category.updated',
      object: { id: 9223372036854775807n, name: 'Hedgehogs' },
      previous: { name: null },
    });
  });

  test('names a category that has pets but was deleted while one was added', async () => {
    const { id } = (await service.post('/v1/categories', { name: 'Newts' })).body;
    await shop.addPet({ categoryId: id });
    await changeRows(service.place, `DELETE FROM categories WHERE store_id = 1 AND id = ${id}`);
    expect((await service.get(`/v1/categories/${id}`)).body).toEqual({ id, name: null });
    expect((await change(id, { name: 'Efts' })).body).toEqual({ id, name: 'Efts' });
    expect((await service.get('/v1/categories?limit=100')).body).toContainEqual({ id, name: 'Efts' });
  });

  test('renames a category repeatedly', async () => {
    await change(1, { name: 'Hounds' });
    await change(1, { name: 'Dogs 🐕' });
    expect((await service.get('/v1/categories/1')).body).toEqual({ id: 1, name: 'Dogs 🐕' });
    expect((await written()).slice(-2)).toMatchObject([
      { previous: { name: 'Dogs' } },
      { previous: { name: 'Hounds' } },
    ]);
  });

  test.each([{}, { name: 'Cats' }, { id: 9 }, { parent: 1 }])(
    'changes nothing and writes no event for %p',
    async (body) => {
      const before = (await written()).length;
      const answer = await change(2, body);
      expect([answer.status, answer.body]).toEqual([200, { id: 2, name: 'Cats' }]);
      expect(await written()).toHaveLength(before);
    },
  );

  test('leaves an unnamed category unnamed if the change is empty', async () => {
    await shop.addPet({ categoryId: 321 });
    expect((await change(321, {})).body).toEqual({ id: 321, name: null });
  });

  test.each(['{"name":null}', '{"name":" "}', '{"name":["Ants"]}', '[]', 'null', '"Ants"'])(
    'refuses %s',
    async (sent) => {
      expectError(await change(3, sent), 'invalid_request', 400);
      expect((await service.get('/v1/categories/3')).body.name).toBe('Birds');
    },
  );

  test('accepts a merge patch, and no other patch format', async () => {
    const merged = await change(4, { name: 'Fishes' }, { 'Content-Type': 'application/merge-patch+json' });
    expect(merged.body.name).toBe('Fishes');
    const other = await change(4, { name: 'Fish' }, { 'Content-Type': 'application/json-patch+json' });
    expectError(other, 'unsupported_media_type', 415);
  });

  test.each(['404', 'dogs', '007', '9223372036854775808'])(
    'returns 404 for the id %s and creates no category',
    async (id) => {
      expectError(await change(id, { name: 'Ants' }), 'not_found', 404);
      expectError(await service.get(`/v1/categories/${id}`), 'not_found', 404);
    },
  );

  test('renames a category only in the caller’s own store', async () => {
    const key = await service.issueKey({ storeId: 2, scopes: ['categories:write', 'pets:read'] });
    await service.call('PATCH', '/v1/categories/5', { key, body: { name: 'Dragons' } });
    expect((await service.get('/v1/categories/5', { key })).body.name).toBe('Dragons');
    expect((await service.get('/v1/categories/5')).body.name).toBe('Reptiles');
  });
});

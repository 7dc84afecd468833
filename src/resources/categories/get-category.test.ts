import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { expectError } from '../../../test/expect-answer.ts';
import { type Service, startService } from '../../../test/service.ts';
import { createShop } from '../../../test/shop.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

describe('getCategory', () => {
  test('returns the category with only id and name', async () => {
    const { status, text } = await service.get('/v1/categories/6');
    expect([status, text]).toEqual([200, '{"id":6,"name":"Small mammals"}']);
  });

  test.each(['9223372036854775807', '-9223372036854775808', '0', '7'])(
    'finds %s as soon as a pet uses it',
    async (id) => {
      expectError(await service.get(`/v1/categories/${id}`), 'not_found', 404);
      await service.post('/v1/pets', `{"name":"Rex","categoryId":${id}}`);
      expect((await service.get(`/v1/categories/${id}`)).text).toBe(`{"id":${id},"name":null}`);
    },
  );

  test('does not find a category that was only used as a filter', async () => {
    await service.get('/v1/pets?categoryId=404');
    expectError(await service.get('/v1/categories/404'), 'not_found', 404);
  });

  test.each(['999', '007', '+1', '1.0', 'dogs', '9223372036854775808', '-9223372036854775809'])(
    'returns 404 for the id %s',
    async (id) => {
      expectError(await service.get(`/v1/categories/${id}`), 'not_found', 404);
    },
  );

  test('returns 404 for a category in another store', async () => {
    const key = await service.issueKey({ storeId: 2 });
    await createShop(service).addPet({ categoryId: 555 }, { key });
    expect((await service.get('/v1/categories/555', { key })).status).toBe(200);
    expectError(await service.get('/v1/categories/555'), 'not_found', 404);
  });

  test('accepts a plain key, which cannot create categories', async () => {
    const key = await service.issueKey();
    expect((await service.get('/v1/categories/1', { key })).status).toBe(200);
    expectError(await service.post('/v1/categories', { name: 'Ants' }, { key }), 'insufficient_scope', 403);
    const renaming = service.call('PATCH', '/v1/categories/1', { key, body: { name: 'Ants' } });
    expectError(await renaming, 'insufficient_scope', 403);
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { expectError } from '../../../test/expect-answer.ts';
import { type Service, startService } from '../../../test/service.ts';
import { createShop, type Shop } from '../../../test/shop.ts';
import { Failure } from '../../kernel/failure.ts';
import { SYSTEM_CALL } from '../../kernel/operation.ts';
import { deleteCategory } from './delete-category.ts';

let service: Service;
let shop: Shop;
beforeAll(async () => {
  service = await startService();
  shop = createShop(service);
});
afterAll(() => service.stop());

const create = async (name: string): Promise<number> => (await service.post('/v1/categories', { name })).body.id;
const remove = (id: unknown, key?: string) =>
  service.call('DELETE', `/v1/categories/${id}`, key === undefined ? {} : { key });
const find = (id: unknown) => service.get(`/v1/categories/${id}`);

describe('deleteCategory', () => {
  test('deletes a category without pets, and writes an event', async () => {
    const id = await create('Owls');
    const { status, text } = await remove(id);
    expect([status, text]).toEqual([204, '']);
    expectError(await find(id), 'not_found', 404);
    const { body } = await service.get('/v1/events?type=category.deleted&order=desc&limit=1');
    expect(body[0]).toMatchObject({ type: 'category.deleted', data: { object: { id, name: 'Owls' } } });
    expectError(await remove(id), 'not_found', 404);
  });

  test('refuses a category with pets, whatever their status, until they are gone', async () => {
    const categoryId = await create('Newts');
    for (const status of ['available', 'pending', 'sold']) {
      const petId = await shop.addPet({ categoryId, status });
      const answer = await remove(categoryId);
      expectError(answer, 'category_in_use', 409);
      expect(answer.body.message).toContain(`POST /categories/${categoryId}/merge`);
      await service.call('DELETE', `/v1/pets/${petId}`);
    }
    expect((await remove(categoryId)).status).toBe(204);
  });

  test('never assigns the id of a deleted category to a new one', async () => {
    const [first, second] = [await create('Ants'), await create('Bees')];
    await remove(second);
    await remove(first);
    expect(await create('Wasps')).toBeGreaterThan(second);
  });

  test('lets a pet use the id again, as a category without a name, any number of times', async () => {
    const [first, second, third] = [await create('A'), await create('B'), await create('C')];
    for (const id of [second, first, third, second]) {
      await remove(id);
      const petId = await shop.addPet({ categoryId: id });
      expect((await find(id)).body).toEqual({ id, name: null });
      await service.call('DELETE', `/v1/pets/${petId}`);
    }
    expect(await create('D')).toBe(third + 1);
  });

  test('deletes nothing in another store', async () => {
    const key = await service.issueKey({ storeId: 2, scopes: ['categories:write', 'pets:read'] });
    const id = await create('Voles');
    expectError(await remove(id, key), 'not_found', 404);
    expect((await find(id)).status).toBe(200);
    expect((await remove(1, key)).status).toBe(204);
    expect((await find(1)).body.name).toBe('Dogs');
  });

  test('succeeds even if the database becomes unavailable after the commit', async () => {
    const unavailable = async () => {
      throw new Failure('unavailable', 'The database is unavailable.');
    };
    expect(
      deleteCategory.access === 'write' &&
        (await deleteCategory.beforeAnswer?.(SYSTEM_CALL, { writeInStore: unavailable }, { path: { categoryId: 1n } })),
    ).toBeUndefined();
  });

  test('requires categories:write', async () => {
    expectError(await remove(1, await service.issueKey({ storeId: 1 })), 'insufficient_scope', 403);
  });
});

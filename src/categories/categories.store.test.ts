import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { readRows } from '../../test/database.ts';
import { type Service, startService } from '../../test/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const categories = (storeId: number) =>
  readRows(
    join(service.directory, 'petstore.db'),
    `SELECT id, name FROM categories WHERE store_id = ${storeId} ORDER BY id`,
  );

const first = ['Dogs', 'Cats', 'Birds', 'Fish', 'Reptiles', 'Small mammals'].map((name, index) => ({
  id: index + 1,
  name,
}));

describe('the categories of a store', () => {
  test('are six from the start, in every store', async () => {
    await service.issueKey({ storeId: 2 });
    expect(categories(1)).toEqual(first);
    expect(categories(2)).toEqual(first);
  });

  test('record what an animal names and nobody has described, once and without a name', async () => {
    for (const categoryId of [77, 77, 3]) await service.post('/v1/pets', { name: 'Rex', categoryId });
    expect(categories(1)).toEqual([...first, { id: 77, name: null }]);
    expect(categories(2)).toEqual(first);
  });

  test('record nothing for an animal that was refused', async () => {
    await service.post('/v1/pets', { name: '', categoryId: 78 });
    expect(categories(1)).toHaveLength(7);
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { onEveryEngine, openTestDatabase, readRows, type TestDatabase } from '../../test/database.ts';
import { pagesBehind, queryPlans } from '../../test/query-plan.ts';
import { type Service, startService } from '../../test/service.ts';
import { sqlCategories } from './categories.repository.sql.ts';
import { describeCategoryRepository } from './categories.repository.suite.ts';

onEveryEngine(describeCategoryRepository);

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const categories = (storeId: number) =>
  readRows(service.place, `SELECT id, name FROM categories WHERE store_id = ${storeId} ORDER BY id`);

const first = ['Dogs', 'Cats', 'Birds', 'Fish', 'Reptiles', 'Small mammals'].map((name, index) => ({
  id: index + 1,
  name,
}));

describe('the categories of a store', () => {
  test('are six from the start, in every store', async () => {
    await service.issueKey({ storeId: 2 });
    expect(await categories(1)).toEqual(first);
    expect(await categories(2)).toEqual(first);
  });

  test('record what an animal names and nobody has described, once and without a name', async () => {
    for (const categoryId of [77, 77, 3]) await service.post('/v1/pets', { name: 'Rex', categoryId });
    expect(await categories(1)).toEqual([...first, { id: 77, name: null }]);
    expect(await categories(2)).toEqual(first);
  });

  test('record nothing for an animal that was refused', async () => {
    await service.post('/v1/pets', { name: '', categoryId: 78 });
    expect(await categories(1)).toHaveLength(7);
  });
});

describe('the list of categories', () => {
  let opened: TestDatabase;
  beforeAll(() => {
    opened = openTestDatabase();
  });
  afterAll(() => opened.close());

  test('is served by an index without sorting', async () => {
    const plans = await queryPlans(opened.path, async (sql) => {
      for (const page of pagesBehind(5n)) await sqlCategories(sql, 1n).list(page);
    });
    expect(plans).toHaveLength(4);
    for (const plan of plans) expect(plan).toMatch(/^SEARCH categories USING PRIMARY KEY \(store_id=\?[^;]*\)$/);
  });
});

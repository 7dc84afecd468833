import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { onEveryEngine, openTestDatabase, readRows, type TestDatabase } from '../../../test/database.ts';
import { pagesBehind, queryPlans } from '../../../test/query-plan.ts';
import { type Service, startService } from '../../../test/service.ts';
import { OWN, openWorld, write } from '../../../test/twin-stores.ts';
import { SYSTEM_CALL } from '../../kernel/operation.ts';
import type { Sql } from '../../storage/sql.ts';
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
  test('are the same six in every new store', async () => {
    await service.issueKey({ storeId: 2 });
    expect(await categories(1)).toEqual(first);
    expect(await categories(2)).toEqual(first);
  });

  test('include a category created by adding a pet, once and without a name', async () => {
    for (const categoryId of [77, 77, 3]) await service.post('/v1/pets', { name: 'Rex', categoryId });
    expect(await categories(1)).toEqual([...first, { id: 77, name: null }]);
    expect(await categories(2)).toEqual(first);
  });

  test('do not include the category of a refused pet', async () => {
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

  test('counts pets with a covering index', async () => {
    const plans = await queryPlans(opened.path, async (sql) => {
      for (const page of pagesBehind(5n)) await sqlCategories(sql, 1n).list(page, { withPets: true });
    });
    expect(plans).toHaveLength(4);
    for (const plan of plans) {
      expect(plan).toContain('SEARCH categories USING PRIMARY KEY (store_id=?');
      expect(plan).toMatch(/SEARCH pets USING COVERING INDEX pets_category\w* \(store_id=\? AND category_id=\?\)/);
      expect(plan).not.toContain('ORDER BY');
    }
  });
});

describe('the lowest free category id', () => {
  let opened: TestDatabase;
  beforeAll(() => {
    opened = openTestDatabase();
  });
  afterAll(() => opened.close());

  const runs = () => readRows(opened.path, 'SELECT first, last FROM category_runs WHERE store_id = 1 ORDER BY first');
  const record = (ids: readonly number[]) =>
    opened.database.write(SYSTEM_CALL, async ({ categories }) => {
      for (const id of ids) await categories.record(BigInt(id));
    });
  test('is found by reading one range of ids, however many are in use', async () => {
    const ids = Array.from({ length: 20_000 }, (_, index) => 1000 + index);
    await record(ids.filter((id) => id % 2 === 1));
    expect(await runs()).toHaveLength(10_000);
    await record(ids.filter((id) => id % 2 === 0).reverse());
    expect(await runs()).toEqual([{ first: 1000, last: 20_999 }]);
    const { id } = await opened.database.write(SYSTEM_CALL, ({ categories }) => categories.insert('Ants', 1000n));
    expect(id).toBe(21_000n);
    expect(await runs()).toEqual([{ first: 1000, last: 21_000 }]);
  });

  test('comes after all adjacent ranges, which are merged, and other ranges stay unchanged', async () => {
    const world = openWorld();
    const runsLeft = await write(world, async ({ stores, categories, sql }) => {
      await stores.open(OWN);
      // Instances that add categories at the same time leave adjacent ranges like these.
      await sql.run('INSERT INTO category_runs VALUES ($1, 50, 51), ($1, 90, 90), ($1, 91, 94), ($1, 95, 95)', [OWN]);
      expect(await categories.insert('Ants', 90n)).toEqual({ id: 96n, name: 'Ants' });
      return sql.all('SELECT first, last FROM category_runs WHERE store_id = $1 ORDER BY first', [OWN]);
    });
    expect(runsLeft).toEqual([
      { first: 1n, last: 6n },
      { first: 50n, last: 51n },
      { first: 90n, last: 96n },
    ]);
    await world.close();
  });

  test('is found and assigned with three statements, each of which uses a primary key', async () => {
    const found = { first: 1000n, last: 20_999n };
    const plans = await queryPlans(opened.path, (sql) => {
      const one = async (text: string, values: Parameters<Sql['one']>[1]) => {
        await sql.one(text, values);
        return text.startsWith('DELETE') ? undefined : found;
      };
      return sqlCategories({ ...sql, one: one as Sql['one'] }, 1n).insert('Ants', 1000n);
    });
    const [search, merge, ...rest] = plans;
    expect(search).toBe('SEARCH category_runs USING PRIMARY KEY (store_id=? AND first<?)');
    expect(merge).toBe('SEARCH category_runs USING PRIMARY KEY (store_id=? AND first=?)');
    expect(rest).toHaveLength(1);
    expect(rest.join()).not.toContain('SCAN');
  });
});

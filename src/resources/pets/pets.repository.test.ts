import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { onEveryEngine, openTestDatabase, readRows, type TestDatabase } from '../../../test/database.ts';
import { pagesBehind, queryPlans } from '../../../test/query-plan.ts';
import { SYSTEM_CALL } from '../../kernel/operation.ts';
import { sqlPets } from './pets.repository.sql.ts';
import { describePetRepository } from './pets.repository.suite.ts';
import type { PetFilter } from './pets.repository.ts';
import { describePetsByName } from './pets-by-name.repository.suite.ts';

onEveryEngine(describePetRepository);
onEveryEngine(describePetsByName);

describe('the row of a new pet', () => {
  let opened: TestDatabase;
  beforeAll(() => {
    opened = openTestDatabase();
  });
  afterAll(() => opened.close());

  test('has timestamps, version and holding order, from the first migration on', async () => {
    await opened.database.write(SYSTEM_CALL, ({ pets }) =>
      pets.insert({ name: 'Rex', categoryId: 1n, status: 'available' }),
    );
    const now = opened.clock();
    expect(await readRows(opened.path, 'SELECT created_at, updated_at, version, held_by_order_id FROM pets')).toEqual([
      { created_at: now, updated_at: now, version: 1, held_by_order_id: null },
    ]);
  });
});

describe('every list of pets', () => {
  let opened: TestDatabase;
  beforeAll(() => {
    opened = openTestDatabase();
  });
  afterAll(() => opened.close());

  /** The maximum number of ids in a request. With this many, SQLite may prefer another query plan. */
  const many = Array.from({ length: 100 }, (_, index) => BigInt(index));
  const expectFoundById = (plans: readonly string[]) => {
    for (const plan of plans)
      expect(plan.match(/(SEARCH|SCAN) pets .*?(?=;|$)/g)).toEqual([
        'SEARCH pets USING PRIMARY KEY (store_id=? AND id=?)',
      ]);
  };

  const filters = [{}, { status: 'sold' } as const].flatMap((byStatus) =>
    [{}, { categoryId: 1n }].flatMap((byCategory) =>
      [{}, { ids: [1n] }, { ids: [1n, 2n] }, { ids: many }].map(
        (byIds): PetFilter => ({ ...byStatus, ...byCategory, ...byIds }),
      ),
    ),
  );
  const spell = ({ ids, ...others }: PetFilter) =>
    [...Object.keys(others), ...(ids ? [`${ids.length} ids`] : [])].join(' and ') || 'no filter';

  test.each(filters.map((filter) => [spell(filter), filter] as const))(
    'is served by an index without sorting: %s',
    async (_, filter) => {
      const plans = await queryPlans(opened.path, async (sql) => {
        for (const page of pagesBehind(5n)) await sqlPets(sql, 1n, opened.clock).list(filter, page);
      });
      expect(plans).toHaveLength(4);
      // Every filter except `ids` must be part of the index, so that SQLite reads only matching rows. A list filtered only
      // by category merges one list per status, and reads each list only as far as the page needs.
      if (filter.ids) return expectFoundById(plans);
      const isMerged = filter.categoryId !== undefined && filter.status === undefined;
      const columns = [...(filter.categoryId ? ['category_id'] : []), ...(filter.status || isMerged ? ['status'] : [])];
      const served = ['store_id', ...columns].map((column) => `${column}=\\?`).join(' AND ');
      const search = `SEARCH pets USING ((COVERING )?INDEX \\w+|PRIMARY KEY) \\(${served}( AND id[<>]\\?)?\\)`;
      const merged = `MERGE \\(UNION ALL\\); LEFT; MERGE \\(UNION ALL\\); LEFT; ${search}; RIGHT; ${search}; RIGHT; ${search}`;
      for (const plan of plans) expect(plan).toMatch(new RegExp(`^${isMerged ? merged : search}$`));
    },
  );

  test.each(filters.flatMap((filter) => [undefined, 're'].map((name) => [spell(filter), name, filter] as const)))(
    'by name reads only the rows it returns: %s, beginning with %p',
    async (_, name, filter) => {
      const plans = await queryPlans(opened.path, async (sql) => {
        const pets = sqlPets(sql, 1n, opened.clock);
        for (const page of pagesBehind({ foldedName: 'rex', id: 5n })) await pets.listByName({ ...filter, name }, page);
      });
      expect(plans).toHaveLength(4);
      if (filter.ids) return expectFoundById(plans);
      const columns = ['store_id', ...(filter.categoryId ? ['category_id'] : []), 'status'].map((one) => `${one}=?`);
      const [from, to] = name ? ['folded_name>?', 'folded_name<?'] : [];
      const position = (sign: string) => `(folded_name,id)${sign}(?,?)`;
      const bounds = [
        [from, to],
        [position('>'), to],
        [from, to],
        [from, position('<')],
      ];
      const index = filter.categoryId ? 'pets_category_name' : 'pets_status_name';
      expect(plans).toEqual(
        bounds.map((ends) => {
          const served = [...columns, ...ends.filter((end) => end !== undefined)].join(' AND ');
          const search = `SEARCH pets USING INDEX ${index} (${served})`;
          const merged = `MERGE (UNION ALL); LEFT; MERGE (UNION ALL); LEFT; ${search}; RIGHT; ${search}; RIGHT; ${search}`;
          return filter.status ? search : merged;
        }),
      );
    },
  );

  test('counts from a few rows, no matter how many pets there are', async () => {
    await opened.database.write(SYSTEM_CALL, async ({ pets }) => {
      for (let index = 0; index < 200; index += 1) await pets.insert({ name: 'Rex', categoryId: 1n, status: 'sold' });
    });
    expect(await readRows(opened.path, 'SELECT * FROM inventory')).toHaveLength(1);
    const plans = await queryPlans(opened.path, (sql) => sqlPets(sql, 1n, opened.clock).inventory());
    expect(plans).toEqual(['SEARCH inventory USING PRIMARY KEY (store_id=?)']);
  });
});

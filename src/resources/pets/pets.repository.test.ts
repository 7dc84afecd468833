import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { onEveryEngine, openTestDatabase, readRows, type TestDatabase } from '../../../test/database.ts';
import { beforeEnd, pagesBehind, queryPlans } from '../../../test/query-plan.ts';
import { SYSTEM_CALL } from '../../kernel/operation.ts';
import type { Pet } from './pet.ts';
import { sqlPets } from './pets.repository.sql.ts';
import { describePetRepository } from './pets.repository.suite.ts';
import type { PetFilter, PetRepository } from './pets.repository.ts';
import { describePetsByName } from './pets-by-name.repository.suite.ts';
import { describePetSearch } from './pets-search.repository.suite.ts';

onEveryEngine(describePetRepository);
onEveryEngine(describePetsByName);
onEveryEngine(describePetSearch);

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

describe('the index of names', () => {
  test('adds pets in groups of 256, and forgets old names and removed pets', async () => {
    const opened = openTestDatabase();
    const write = <Result>(body: (pets: PetRepository) => Promise<Result>) =>
      opened.database.write(SYSTEM_CALL, ({ pets }) => body(pets));
    const indexed = async (text: string) =>
      (await readRows(opened.path, 'SELECT rowid FROM pet_names WHERE pet_names MATCH $1', `"${text}"`)).length;
    await opened.database.write(SYSTEM_CALL, ({ stores }) => stores.open(1n));
    const rex = { name: 'Rex', categoryId: 1n, status: 'sold' } as const;
    const pets = await write((repository) => repository.insertMany(Array(600).fill(rex)));
    expect(await indexed('rex')).toBe(512);
    for (const pet of [pets[0], pets[511], pets[512]] as Pet[]) {
      await write((repository) => repository.update(pet, { name: 'Max' }));
    }
    expect([await indexed('rex'), await indexed('max')]).toEqual([510, 2]);
    await write((repository) => repository.remove(pets[1] as Pet));
    expect(await indexed('rex')).toBe(509);
    await write((repository) => repository.removeSome(600));
    expect([await indexed('rex'), await indexed('max')]).toEqual([0, 0]);
    await opened.close();
  });
});

describe('every list of pets', () => {
  let opened: TestDatabase;
  beforeAll(() => {
    opened = openTestDatabase();
  });
  afterAll(() => opened.close());

  /** The maximum number of ids in one request. With this many ids, SQLite may prefer a different query plan. */
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
      if (filter.ids) return expectFoundById(plans);
      // The index must cover all other filters, so that SQLite reads only matching rows. A query that filters only by
      // category merges one index scan per status.
      const isMerged = filter.categoryId !== undefined && filter.status === undefined;
      const columns = [...(filter.categoryId ? ['category_id'] : []), ...(filter.status || isMerged ? ['status'] : [])];
      const served = ['store_id', ...columns].map((column) => `${column}=\\?`).join(' AND ');
      const search = `SEARCH pets USING ((COVERING )?INDEX \\w+|PRIMARY KEY) \\(${served}( AND id[<>]\\?)?\\)`;
      const merged = `MERGE \\(UNION ALL\\); LEFT; MERGE \\(UNION ALL\\); LEFT; ${search}; RIGHT; ${search}; RIGHT; ${search}`;
      for (const plan of plans) expect(plan).toMatch(new RegExp(`^${isMerged ? merged : search}$`));
    },
  );

  const byName = filters.flatMap((filter) => [undefined, 're'].map((name) => [spell(filter), name, filter] as const));
  const plansByName = (filter: PetFilter) =>
    queryPlans(opened.path, async (sql) => {
      const pets = sqlPets(beforeEnd(sql), 1n, opened.clock);
      for (const page of pagesBehind({ foldedName: 'rex', id: 5n })) await pets.listByName(filter, page);
    });

  test.each(byName.filter(([, , { categoryId, ids }]) => categoryId === undefined || ids))(
    'by name reads only the rows it returns: %s, beginning with %p',
    async (_, name, filter) => {
      const plans = await plansByName({ ...filter, name });
      expect(plans).toHaveLength(4);
      if (filter.ids) return expectFoundById(plans);
      const columns = ['store_id=?', 'status=?'];
      const [from, to] = name ? ['folded_name>?', 'folded_name<?'] : [];
      const position = (sign: string) => `(folded_name,id)${sign}(?,?)`;
      const bounds = [
        [from, to],
        [position('>'), to],
        [from, to],
        [from, position('<')],
      ];
      expect(plans).toEqual(
        bounds.map((ends) => {
          const served = [...columns, ...ends.filter((end) => end !== undefined)].join(' AND ');
          const search = `SEARCH pets USING INDEX pets_status_name (${served})`;
          const merged = `MERGE (UNION ALL); LEFT; MERGE (UNION ALL); LEFT; ${search}; RIGHT; ${search}; RIGHT; ${search}`;
          return filter.status ? search : merged;
        }),
      );
    },
  );

  test.each(byName.filter(([, , { categoryId, ids }]) => categoryId !== undefined && !ids))(
    'by name reads the indexes of names and of its category: %s, beginning with %p',
    async (_, name, filter) => {
      const searches = (await plansByName({ ...filter, name })).map(
        (plan): string[] => plan.match(/(SEARCH|SCAN) pets .*?(?=;|$)/g) ?? [],
      );
      expect(searches).toHaveLength(8);
      const parts = filter.status ? 1 : 3;
      const read = 'SEARCH pets USING COVERING INDEX pets_status_name (store_id=? AND status=?';
      const found = 'SEARCH pets USING INDEX pets_category (store_id=? AND category_id=? AND status=?)';
      for (const [index, one] of searches.entries()) {
        if (index % 2 === 1) expect(one).toEqual(Array(parts).fill(found));
        else
          expect(one).toEqual([
            ...Array(parts).fill(expect.stringContaining(read)),
            'SEARCH pets USING PRIMARY KEY (store_id=? AND id=?)',
          ]);
      }
    },
  );

  test.each(
    filters.flatMap((filter) => (['id', 'name'] as const).map((sort) => [spell(filter), sort, filter] as const)),
  )('that a search returns reads the indexes of lists and names: %s, sorted by %s', async (_, sort, filter) => {
    const plans = await queryPlans(opened.path, async (sql) => {
      const pets = sqlPets(beforeEnd(sql), 1n, opened.clock);
      for (const page of pagesBehind({ foldedName: 'rex', id: 5n }))
        await pets.search({ ...filter, sort, search: 'rex' }, page);
    });
    const [lists, names] = [
      plans.filter((plan) => !plan.includes('pet_names')),
      plans.filter((plan) => plan.includes('pet_names')),
    ];
    expect([lists.length, names.length]).toEqual([4, 4]);
    for (const plan of names)
      expect(plan.match(/(SEARCH|SCAN) (pets|pet_names|stores) .*?(?=;|$)/g)).toEqual([
        expect.stringMatching(/^SCAN pet_names VIRTUAL TABLE INDEX 0:.*M/),
        'SEARCH pets USING PRIMARY KEY (store_id=? AND id=?)',
        'SEARCH pets USING PRIMARY KEY (store_id=? AND id>?)',
        'SEARCH stores USING PRIMARY KEY (id=?)',
      ]);
    const served = filter.ids ? /^SEARCH pets USING PRIMARY KEY \(store_id=\? AND id=\?\)$/ : /^SEARCH .*\(store_id=\?/;
    for (const search of lists.flatMap((plan) => plan.match(/(SEARCH|SCAN) pets .*?(?=;|$)/g) ?? [])) {
      expect(search).toMatch(served);
    }
  });

  test('counts the pets from a few rows, no matter how many pets there are', async () => {
    await opened.database.write(SYSTEM_CALL, async ({ pets }) => {
      for (let index = 0; index < 200; index += 1) await pets.insert({ name: 'Rex', categoryId: 1n, status: 'sold' });
    });
    expect(await readRows(opened.path, 'SELECT * FROM inventory')).toHaveLength(1);
    const plans = await queryPlans(opened.path, (sql) => sqlPets(sql, 1n, opened.clock).inventory());
    expect(plans).toEqual(['SEARCH inventory USING PRIMARY KEY (store_id=?)']);
  });

  test('moves pets to another category by id', async () => {
    const plans = await queryPlans(opened.path, (sql) => sqlPets(sql, 1n, opened.clock).moveSome(1n, 2n, 100));
    expect(plans).toHaveLength(3);
    for (const plan of plans)
      expect(plan.match(/(SEARCH|SCAN) pets .*?(?=;|$)/g)).toEqual([
        'SEARCH pets USING PRIMARY KEY (store_id=? AND id=?)',
        'SEARCH pets USING COVERING INDEX pets_category (store_id=? AND category_id=? AND status=?)',
      ]);
  });
});

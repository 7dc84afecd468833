import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { openTestDatabase, readRows, type TestDatabase } from '../../test/database.ts';
import type { Sql } from '../database/sql.ts';
import { connectSqlite } from '../database/sqlite.connection.ts';
import { OWN_CALL } from '../kernel/operation.ts';
import { petsOnSql } from './pets.store.sql.ts';
import { describePetStore } from './pets.store.suite.ts';
import type { PetFilter } from './pets.store.ts';

describePetStore('SQLite', () => openTestDatabase());

describe('the rows of a new animal', () => {
  let opened: TestDatabase;
  beforeAll(() => {
    opened = openTestDatabase();
  });
  afterAll(() => opened.close());

  test('carry the times, the version and the order that holds it, from the first migration on', async () => {
    await opened.database.write(OWN_CALL, ({ pets }) =>
      pets.insert({ name: 'Rex', categoryId: 1n, status: 'available' }),
    );
    const now = opened.clock();
    expect(readRows(opened.path, 'SELECT created_at, updated_at, version, held_by_order_id FROM pets')).toEqual([
      { created_at: now, updated_at: now, version: 1, held_by_order_id: null },
    ]);
  });

  const filters: PetFilter[] = [
    {},
    { status: 'sold' },
    { categoryId: 1n },
    { status: 'sold', categoryId: 1n },
    { ids: [1n, 2n] },
  ];
  const pages = (['asc', 'desc'] as const).flatMap((order) =>
    [undefined, 5n].map((after) => ({ limit: 21, order, after })),
  );
  test.each(filters.map((filter) => [Object.keys(filter).join(' and ') || 'no filter', filter] as const))(
    'are listed by %s from an index, without sorting',
    async (_, filter) => {
      const connection = connectSqlite(opened.path);
      const plans: string[] = [];
      const explaining: Sql = {
        ...refusingSql,
        all: async (text, values) => {
          const steps = connection.all(`EXPLAIN QUERY PLAN ${text}`, values) as { detail: string }[];
          plans.push(steps.map(({ detail }) => detail).join('; '));
          return [];
        },
      };
      for (const page of pages) await petsOnSql(explaining, 1n, opened.clock).list(filter, page);
      connection.close();
      expect(plans).toHaveLength(4);
      for (const plan of plans)
        expect(plan).toMatch(/^SEARCH pets USING (INDEX \w+|PRIMARY KEY) \(store_id=\?[^;]*\)$/);
    },
  );
});

const refuse = async (): Promise<never> => {
  throw new Error('a list only lists');
};
const refusingSql: Sql = { one: refuse, all: refuse, run: refuse, nextId: refuse, afterCommit: () => undefined };

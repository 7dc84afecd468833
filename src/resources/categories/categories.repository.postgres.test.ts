import { describe, expect, test } from 'bun:test';
import { POSTGRES_SERVER } from '../../../test/postgres-database.ts';
import { openPostgresSql } from '../../../test/postgres-sql.ts';
import { waitFor } from '../../../test/wait-for.ts';
import { SYSTEM_CALL } from '../../kernel/operation.ts';
import type { Sql } from '../../storage/sql.ts';
import { sqlPets } from '../pets/pets.repository.sql.ts';
import { sqlCategories } from './categories.repository.sql.ts';

describe.skipIf(!POSTGRES_SERVER)('on PostgreSQL', () => {
  const postgres = openPostgresSql();

  const write = <Result>(body: (sql: Sql) => Promise<Result>) => postgres.database.write(SYSTEM_CALL, body);
  const record = (id: bigint, meanwhile: () => Promise<unknown> = async () => undefined) =>
    write(async (sql) => {
      await sqlCategories(sql, 1n).record(id);
      await meanwhile();
    });
  const numbers = async (text: string) =>
    (await postgres.database.read(1n).all<{ id: bigint }>(text, [])).map(({ id }) => id).toSorted();

  const before = (sql: Sql, happens: () => Promise<unknown>): Sql => {
    let isFirst = true;
    return {
      ...sql,
      one: async (text, values) => {
        if (isFirst && text.startsWith('DELETE')) {
          isFirst = false;
          await happens();
        }
        return sql.one(text, values);
      },
    };
  };

  test('category_runs loses no id when a range grows downwards while it is merged with the next range', async () => {
    // Neither transaction sees the other's id, so `category_runs` gets two adjacent ranges instead of one.
    await record(101n, () => record(102n));
    const added = await write((sql) =>
      sqlCategories(
        before(sql, () => record(100n)),
        1n,
      ).insert('Ants', 101n),
    );
    expect(added.id).toBe(103n);
    const inRuns = await numbers('SELECT generate_series(first, last) AS id FROM category_runs WHERE store_id = 1');
    expect(inRuns).toEqual([100n, 101n, 102n, 103n]);
    expect(await numbers('SELECT id FROM categories WHERE store_id = 1')).toEqual(inRuns);
  });

  test('a category deleted while a pet is added to it can be locked afterwards, and has no name', async () => {
    const { id } = await write((sql) => sqlCategories(sql, 1n).insert('Newts', 2000n));
    await write(async (sql) => {
      await sqlCategories(sql, 1n).record(id);
      await sqlPets(sql, 1n, () => 0).insert({ name: 'Late', categoryId: id, status: 'available' });
      // The service delays the inserts above until the next read. This read sends them to PostgreSQL.
      await sqlCategories(sql, 1n).find(id);
      await write((other) => sqlCategories(other, 1n).remove(id));
    });
    expect(await numbers(`SELECT id FROM categories WHERE id = ${id}`)).toEqual([]);
    expect(await write((sql) => sqlCategories(sql, 1n).lock(id))).toEqual({ id, name: null });
    expect(await numbers(`SELECT id FROM categories WHERE id = ${id}`)).toEqual([id]);
    expect(await write((sql) => sqlCategories(sql, 1n).lock(id + 1n))).toBeUndefined();
  });

  test('a merge does not move a pet that another transaction has just moved to a third category', async () => {
    const pets = (sql: Sql) => sqlPets(sql, 1n, () => 0);
    const pet = await write(async (sql) => pets(sql).insert({ name: 'Rex', categoryId: 3001n, status: 'available' }));
    const isWaiting = async () => {
      const waiting = `SELECT pid FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'UPDATE pets%'`;
      return (await postgres.database.read(1n).all(waiting, [])).length > 0;
    };
    const merging = await write(async (sql) => {
      await pets(sql).update(pet, { categoryId: 3003n });
      // The service delays the update above until the next read. This read sends it to PostgreSQL.
      await pets(sql).find(pet.id);
      const moved = write((other) => pets(other).moveSome(3001n, 3002n, 100));
      await waitFor('the merge to wait for the pet', isWaiting);
      return { moved };
    });
    expect(await merging.moved).toEqual([]);
    expect(await numbers(`SELECT category_id AS id FROM pets WHERE store_id = 1 AND id = ${pet.id}`)).toEqual([3003n]);
  });
});

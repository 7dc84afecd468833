import { createInsertRows } from '../../storage/insert-rows.sql.ts';
import { deleteFirst, pageOf } from '../../storage/page.sql.ts';
import type { Sql } from '../../storage/sql.ts';
import type { CategoryRepository } from './categories.repository.ts';
import { type Category, type CountedCategory, MAX_COUNTED } from './category.ts';

const RECORD = 'INSERT INTO categories (store_id, id)';
const recordRows = createInsertRows(RECORD, 'ON CONFLICT DO NOTHING');

const HIGHEST = 2n ** 63n - 1n;

/** Sorts the ids, because concurrent transactions that lock rows in different orders could deadlock. */
const inOrder = (ids: ReadonlySet<bigint>): bigint[] => [...ids].sort((a, b) => (a < b ? -1 : 1));

// Returns the lowest unused id that is at least `first`. Also merges adjacent ranges in `category_runs`, which stores
// the used ids, including the ids of deleted categories.
const lowestFree = async (sql: Sql, storeId: bigint, first: bigint): Promise<bigint> => {
  const run = await sql.one<{ first: bigint; last: bigint }>(
    `SELECT first, last FROM category_runs WHERE store_id = $1 AND first <= $2
     ORDER BY first DESC LIMIT 1 ${sql.lockRows}`,
    [storeId, first],
  );
  if (!run || run.last < first) return first;
  for (let { last } = run; ; ) {
    const next = await sql.one<{ last: bigint }>(
      'DELETE FROM category_runs WHERE store_id = $1 AND first = $2 RETURNING last',
      [storeId, last + 1n],
    );
    if (!next) return last + 1n;
    last = next.last;
    const values = [storeId, run.first, last];
    await sql.run('UPDATE category_runs SET last = $3 WHERE store_id = $1 AND first = $2', values);
  }
};

export const sqlCategories = (sql: Sql, storeId: bigint): CategoryRepository => {
  const one = async (id: bigint, lock: string) =>
    sql.one<Category>(`SELECT id, name FROM categories WHERE store_id = $1 AND id = $2 ${lock}`, [storeId, id]);

  const hasPets = async (id: bigint): Promise<boolean> =>
    (await sql.one('SELECT 1 AS one FROM pets WHERE store_id = $1 AND category_id = $2 LIMIT 1', [storeId, id])) !==
    undefined;

  const record = (id: bigint) => sql.run(`${RECORD} VALUES ($1, $2) ON CONFLICT DO NOTHING`, [storeId, id]);

  return {
    find: (id) => one(id, ''),
    hasPets,
    record,

    async lock(id) {
      const found = await one(id, sql.lockRows);
      if (found || !(await hasPets(id))) return found;
      await record(id);
      return one(id, sql.lockRows);
    },

    async list(page, { withPets = false } = {}) {
      const { where, end, values } = pageOf({ equal: { store_id: storeId }, by: { id: page.after } }, page);
      const pets = withPets
        ? `, (SELECT count(*) FROM (SELECT 1 FROM pets WHERE pets.store_id = $1 AND category_id = categories.id
            LIMIT $${values.push(MAX_COUNTED)}) AS counted) AS pets`
        : '';
      return sql.all<CountedCategory>(`SELECT id, name${pets} FROM categories ${where} ${end}`, values);
    },

    recordMany(ids) {
      const rows = inOrder(ids).map((id) => [storeId, id]);
      return recordRows(sql, rows);
    },

    async insert(name, first) {
      for (;;) {
        const id = await lowestFree(sql, storeId, first);
        const added = await sql.one(
          'INSERT INTO categories (store_id, id, name) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING id',
          [storeId, id, name],
        );
        if (added) return { id, name };
        if (id === HIGHEST) throw new Error(`every number from ${first} up is taken`);
      }
    },

    async removeSome(most) {
      // `category_runs` keeps the ids of deleted categories, so it may still have rows when `categories` is empty.
      const runs = await deleteFirst(sql, { table: 'category_runs', key: 'first', storeId, most });
      const removed = await deleteFirst(sql, { table: 'categories', key: 'id', storeId, most });
      return Math.max(runs.length, removed.length);
    },

    remove: async (id) => sql.run('DELETE FROM categories WHERE store_id = $1 AND id = $2', [storeId, id]),

    rename: async (id, name) =>
      sql.run('UPDATE categories SET name = $3 WHERE store_id = $1 AND id = $2', [storeId, id, name]),
  };
};

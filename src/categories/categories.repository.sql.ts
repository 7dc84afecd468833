import { pageOf } from '../database/page.sql.ts';
import type { Sql } from '../database/sql.ts';
import type { CategoryRepository } from './categories.repository.ts';
import type { Category } from './category.ts';

export const sqlCategories = (sql: Sql, storeId: bigint): CategoryRepository => {
  const one = async (id: bigint, lock: string) =>
    sql.one<Category>(`SELECT id, name FROM categories WHERE store_id = $1 AND id = $2 ${lock}`, [storeId, id]);

  /** The lowest number from `first` up that is free. Read in the order of the index, up to that gap and no further. */
  const nextFree = async (first: bigint): Promise<bigint> => {
    if (!(await one(first, ''))) return first;
    const gap = await sql.one<{ id: bigint }>(
      `SELECT id + 1 AS id FROM categories taken
       WHERE store_id = $1 AND id >= $2 AND id < 9223372036854775807 AND NOT EXISTS
         (SELECT 1 FROM categories WHERE store_id = $1 AND id = taken.id + 1)
       ORDER BY taken.id LIMIT 1`,
      [storeId, first],
    );
    if (!gap) throw new Error(`every number from ${first} up is taken`);
    return gap.id;
  };

  return {
    find: (id) => one(id, ''),
    lock: (id) => one(id, sql.lockRows),

    async list(page) {
      const { where, end, values } = pageOf({ equal: { store_id: storeId }, by: { id: page.after } }, page);
      return sql.all<Category>(`SELECT id, name FROM categories ${where} ${end}`, values);
    },

    record: (id) =>
      sql.run('INSERT INTO categories (store_id, id) VALUES ($1, $2) ON CONFLICT DO NOTHING', [storeId, id]),

    async insert(name, first) {
      // Another instance may take the number in this very moment: then the next one is looked for.
      for (;;) {
        const id = await nextFree(first);
        const added = await sql.one(
          'INSERT INTO categories (store_id, id, name) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING id',
          [storeId, id, name],
        );
        if (added) return { id, name };
      }
    },

    async rename(id, name) {
      await sql.run('UPDATE categories SET name = $3 WHERE store_id = $1 AND id = $2', [storeId, id, name]);
    },
  };
};

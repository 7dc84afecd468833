import type { Sql } from '../database/sql.ts';
import type { CategoryStore } from './categories.store.ts';

export const categoriesOnSql = (sql: Sql, storeId: bigint): CategoryStore => ({
  async record(id) {
    await sql.run('INSERT INTO categories (store_id, id) VALUES ($1, $2) ON CONFLICT DO NOTHING', [storeId, id]);
  },
});

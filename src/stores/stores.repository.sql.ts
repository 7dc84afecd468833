import type { Sql } from '../database/sql.ts';
import type { Clock } from '../kernel/clock.ts';
import { FIRST_CATEGORIES } from './store.ts';
import type { StoreRepository } from './stores.repository.ts';

export const sqlStores = (sql: Sql, now: Clock): StoreRepository => {
  const restoreCategories = async (id: bigint): Promise<void> => {
    await sql.run('DELETE FROM categories WHERE store_id = $1', [id]);
    for (const [index, name] of FIRST_CATEGORIES.entries()) {
      await sql.run(
        `INSERT INTO categories (store_id, id, name) VALUES ($1, $2, $3)
         ON CONFLICT (store_id, id) DO UPDATE SET name = excluded.name`,
        [id, index + 1, name],
      );
    }
  };

  const open = async (id: bigint): Promise<boolean> => {
    const opened = await sql.one(
      'INSERT INTO stores (id, created_at, last_sequence) VALUES ($1, $2, 0) ON CONFLICT DO NOTHING RETURNING id',
      [id, now()],
    );
    if (opened) await restoreCategories(id);
    return opened !== undefined;
  };

  return {
    open,
    restoreCategories,
    async lock(id) {
      await sql.one(`SELECT id FROM stores WHERE id = $1 ${sql.lockRows}`, [id]);
    },
    async openNext() {
      // The operator may have named the next number already.
      for (;;) {
        const id = await sql.nextId('stores');
        if (await open(id)) return id;
      }
    },
  };
};

import type { Sql } from '../database/sql.ts';
import type { Clock } from '../kernel/clock.ts';
import { FIRST_CATEGORIES } from './store.ts';
import type { StoreStore } from './stores.store.ts';

export const storesOnSql = (sql: Sql, now: Clock): StoreStore => ({
  async open(id) {
    const opened = await sql.one(
      'INSERT INTO stores (id, created_at, last_sequence) VALUES ($1, $2, 0) ON CONFLICT DO NOTHING RETURNING id',
      [id, now()],
    );
    if (!opened) return;
    for (const [index, name] of FIRST_CATEGORIES.entries()) {
      await sql.run('INSERT INTO categories (store_id, id, name) VALUES ($1, $2, $3)', [id, index + 1, name]);
    }
  },
});

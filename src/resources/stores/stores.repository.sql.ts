import type { Clock } from '../../kernel/runtime.ts';
import type { Sql } from '../../storage/sql.ts';
import { FIRST_CATEGORIES, type Reset, type StoreRepository } from './stores.repository.ts';

const RESET = 'id AS "storeId", reset_key_id AS "keyId", reset_request_id AS "requestId"';

/** The counter for store ids is stored under this id. No store ever gets this id. */
const ALL_STORES = 0n;

export const sqlStores = (sql: Sql, now: Clock): StoreRepository => {
  const addFirstCategories = async (id: bigint): Promise<void> => {
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
    if (opened) await addFirstCategories(id);
    return opened !== undefined;
  };

  return {
    open,
    addFirstCategories,

    async countPets(id) {
      const row = await sql.one<{ count: bigint | null }>(
        'SELECT CAST(sum(count) AS bigint) AS count FROM inventory WHERE store_id = $1',
        [id],
      );
      return row?.count ?? 0n;
    },

    findReset: async (id) => sql.one<Reset>(`SELECT ${RESET} FROM stores WHERE id = $1 AND reset_at IS NOT NULL`, [id]),

    listAbandonedResets: async (since, most) =>
      sql.all<Reset>(`SELECT ${RESET} FROM stores WHERE reset_at < $1 ORDER BY reset_at LIMIT $2`, [since, most]),

    async isResetting(id) {
      // This query does not lock a store that is being reset. Otherwise, steady traffic could keep the reset waiting.
      // `FOR KEY SHARE` does not block updates to `last_sequence`.
      const share = sql.lockRows && 'FOR KEY SHARE';
      if (await sql.one(`SELECT id FROM stores WHERE id = $1 AND reset_at IS NULL ${share}`, [id])) return false;
      return (await sql.one('SELECT id FROM stores WHERE id = $1', [id])) !== undefined;
    },
    async beginReset({ storeId, keyId, requestId }) {
      const values = [storeId, now(), keyId, requestId];
      await sql.run('UPDATE stores SET reset_at = $2, reset_key_id = $3, reset_request_id = $4 WHERE id = $1', values);
    },
    async continueReset(id) {
      const found = await sql.one(`SELECT id FROM stores WHERE id = $1 AND reset_at IS NOT NULL ${sql.lockRows}`, [id]);
      if (found) await sql.run('UPDATE stores SET reset_at = $2 WHERE id = $1', [id, now()]);
      return found !== undefined;
    },
    async endReset(id) {
      await sql.run('UPDATE stores SET reset_at = NULL, reset_key_id = NULL, reset_request_id = NULL WHERE id = $1', [
        id,
      ]);
    },
    async openNext() {
      for (;;) {
        const id = await sql.nextId('stores', ALL_STORES);
        if (await open(id)) return id;
      }
    },
  };
};

import type { Sql } from '../database/sql.ts';
import type { OrderStore } from './orders.store.ts';

export const ordersOnSql = (sql: Sql, storeId: bigint): OrderStore => ({
  async insert(order) {
    const id = await sql.nextId('orders');
    await sql.run(
      `INSERT INTO orders (store_id, id, pet_id, status, placed_by_key_id, placed_at, updated_at, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [storeId, id, order.petId, order.status, order.placedByKeyId, order.placedAt, order.updatedAt, order.expiresAt],
    );
    return { id, ...order };
  },

  async removeAll() {
    await sql.run('DELETE FROM orders WHERE store_id = $1', [storeId]);
  },
});

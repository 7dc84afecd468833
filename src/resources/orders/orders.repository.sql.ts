import { numberOrNull, type RowOf } from '../../kernel/row.ts';
import { deleteFirst, inRange, ofEach, pageOf } from '../../storage/page.sql.ts';
import type { Sql } from '../../storage/sql.ts';
import { ORDER_STATUSES, type Order } from './order.ts';
import { type DueOrders, isByTime, type OrderRepository } from './orders.repository.ts';

type OrderRow = RowOf<Order>;

const COLUMNS = 'id, pet_id, status, placed_by_key_id, placed_at, updated_at, expires_at';

const fromRow = (row: OrderRow): Order => ({
  id: row.id,
  petId: row.pet_id,
  status: row.status,
  placedByKeyId: row.placed_by_key_id,
  placedAt: Number(row.placed_at),
  updatedAt: Number(row.updated_at),
  expiresAt: numberOrNull(row.expires_at),
});

export const sqlOrders = (sql: Sql, storeId: bigint): OrderRepository => {
  const one = async (id: bigint, lock: string): Promise<Order | undefined> => {
    const query = `SELECT ${COLUMNS} FROM orders WHERE store_id = $1 AND id = $2 ${lock}`;
    const row = await sql.one<OrderRow>(query, [storeId, id]);
    return row && fromRow(row);
  };

  return {
    find: (id) => one(id, ''),
    lock: (id) => one(id, sql.lockRows),

    async list(filter, page) {
      const { status, petId, placedFrom: from, placedTo: to } = filter;
      const { placedAt, id } = page.after ?? {};
      const by = isByTime(filter) ? { placed_at: placedAt, id } : { id };
      const { where, end, values } = pageOf({ equal: { store_id: storeId, status, pet_id: petId }, by }, page);
      const text = `SELECT ${COLUMNS} FROM orders ${where}${inRange(values, 'placed_at', { from, to }, page)}`;
      const isOfEach = isByTime(filter) && !status;
      const whole = isOfEach ? ofEach(sql, { text, end, values }, 'status', ORDER_STATUSES).text : `${text} ${end}`;
      return (await sql.all<OrderRow>(whole, values)).map(fromRow);
    },

    async insert(order) {
      const id = await sql.nextId('orders', storeId);
      const { petId, status, placedByKeyId, placedAt, updatedAt, expiresAt } = order;
      const values = [storeId, id, petId, status, placedByKeyId, placedAt, updatedAt, expiresAt];
      await sql.run(`INSERT INTO orders (store_id, ${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`, values);
      return { id, ...order };
    },

    async update({ id, status, updatedAt, expiresAt }) {
      const values = [storeId, id, status, updatedAt, expiresAt];
      await sql.run(
        'UPDATE orders SET status = $3, updated_at = $4, expires_at = $5 WHERE store_id = $1 AND id = $2',
        values,
      );
    },

    removeSome: async (most) => (await deleteFirst(sql, { table: 'orders', key: 'id', storeId, most })).length,
  };
};

export const sqlDueOrders = (sql: Sql): DueOrders => ({
  async list(now, most) {
    const query = 'SELECT store_id AS "storeId", id FROM orders WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2';
    return sql.all(query, [now, most]);
  },
});

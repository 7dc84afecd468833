import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { SYSTEM_CALL } from '../../kernel/operation.ts';
import type { Database } from '../../storage/database.ts';
import type { Order, OrderStatus } from './order.ts';
import type { DueOrders, OrderRepository } from './orders.repository.ts';

type Repositories = { orders: OrderRepository; dueOrders: DueOrders };
type Engine = { database: Database<Repositories, Repositories>; reopen(): Promise<void>; close(): Promise<void> };

const NOW = Date.parse('2026-11-20T12:00:00.123Z');
const placed = {
  petId: 7n,
  status: 'placed',
  placedByKeyId: 'key_one',
  placedAt: NOW,
  updatedAt: NOW,
  expiresAt: NOW + 3_600_000,
} as const;

export const describeOrderRepository = (openEngine: () => Promise<Engine>): void => {
  describe('the order repository', () => {
    let engine: Engine;
    beforeAll(async () => {
      engine = await openEngine();
    });
    afterAll(() => engine.close());

    const write = <Result>(storeId: bigint, body: (orders: OrderRepository) => Promise<Result>) =>
      engine.database.write({ ...SYSTEM_CALL, storeId }, ({ orders }) => body(orders));
    const insert = (fields: Partial<Omit<Order, 'id'>> = {}, storeId = 1n) =>
      write(storeId, (orders) => orders.insert({ ...placed, ...fields }));
    const orders = (storeId = 1n) => engine.database.read(storeId).orders;

    test('finds an order as it was inserted', async () => {
      const order = await insert({ petId: 2n ** 63n - 1n });
      expect(order).toEqual({ ...placed, id: order.id, petId: 2n ** 63n - 1n });
      expect(await orders().find(order.id)).toEqual(order);
      expect(await orders().find(2n ** 63n - 1n)).toBeUndefined();
    });

    test('shows and locks an order in its own store only', async () => {
      const { id } = await insert({}, 22n);
      expect(await orders(23n).find(id)).toBeUndefined();
      expect(await write(23n, (orders) => orders.lock(id))).toBeUndefined();
      expect(await write(22n, (orders) => orders.lock(id))).toMatchObject({ id, status: 'placed' });
    });

    test('updates only the mutable fields of an order', async () => {
      const order = await insert();
      const other = await insert();
      const moved = { ...order, status: 'approved', updatedAt: NOW + 5, expiresAt: null } as const;
      await write(1n, (orders) => orders.update({ ...moved, petId: 99n, placedByKeyId: 'key_two', placedAt: 0 }));
      expect(await orders().find(order.id)).toEqual(moved);
      expect(await orders().find(other.id)).toEqual(other);
    });

    test('assigns ascending ids from 1 in each store, and never one twice after a rollback or restart', async () => {
      const seen = [(await insert({}, 31n)).id, (await insert({}, 31n)).id];
      expect(seen).toEqual([1n, 2n]);
      expect((await insert({}, 32n)).id).toBe(1n);
      const undone = write(31n, async (orders) => {
        seen.push((await orders.insert(placed)).id);
        throw new Error('roll back');
      });
      await expect(undone).rejects.toThrow('roll back');
      expect(await orders(31n).find(seen[2] as bigint)).toBeUndefined();
      seen.push((await insert({}, 31n)).id);
      await engine.reopen();
      seen.push((await insert({}, 31n)).id);
      expect(new Set(seen).size).toBe(5);
      expect(seen).toEqual(seen.toSorted((a, b) => Number(a - b)));
    });

    test('removes up to the given number of orders of a store, oldest first, and none of another', async () => {
      const [, , last] = [await insert({}, 3n), await insert({}, 3n), await insert({}, 3n)];
      const kept = await insert({}, 4n);
      expect(await write(3n, (orders) => orders.removeSome(2))).toBe(2);
      expect(await orders(3n).list({}, { limit: 9, order: 'asc' })).toEqual([last]);
      expect(await write(3n, (orders) => orders.removeSome(2))).toBe(1);
      expect(await write(3n, (orders) => orders.removeSome(2))).toBe(0);
      expect(await orders(4n).find(kept.id)).toEqual(kept);
    });

    describe('lists', () => {
      const storeId = 5n;
      const statuses: OrderStatus[] = ['placed', 'approved', 'delivered', 'cancelled', 'expired', 'cancelled'];
      let ids: bigint[];
      beforeAll(async () => {
        ids = [];
        for (const [index, status] of statuses.entries()) {
          ids.push((await insert({ status, petId: BigInt(index % 2), expiresAt: null }, storeId)).id);
        }
      });
      type Filter = Parameters<OrderRepository['list']>[0];
      const list = async (filter: Filter, page: { limit?: number; order?: 'asc' | 'desc'; after?: bigint } = {}) => {
        const after = page.after === undefined ? undefined : { id: page.after };
        return (await orders(storeId).list(filter, { limit: 100, order: 'asc', ...page, after })).map(({ id }) => id);
      };
      const at = (...indexes: number[]) => indexes.map((index) => ids[index] as bigint);

      test('all orders by id, in both orders', async () => {
        expect(await list({})).toEqual(ids);
        expect(await list({}, { order: 'desc' })).toEqual(ids.toReversed());
      });

      test('at most the given number, strictly after a position', async () => {
        expect(await list({}, { limit: 2, after: ids[1] as bigint })).toEqual(at(2, 3));
        expect(await list({}, { limit: 2, after: ids[4] as bigint, order: 'desc' })).toEqual(at(3, 2));
      });

      test('only orders that match every filter', async () => {
        expect(await list({ status: 'cancelled' })).toEqual(at(3, 5));
        expect(await list({ petId: 0n })).toEqual(at(0, 2, 4));
        expect(await list({ petId: 1n, status: 'cancelled' }, { after: ids[3] as bigint })).toEqual(at(5));
        expect(await list({ petId: 0n, status: 'cancelled' })).toEqual([]);
        expect(await list({ petId: 9n })).toEqual([]);
      });
    });

    describe('the orders whose hold has ended', () => {
      const due = (now: number, most = 100) => engine.database.read(1n).dueOrders.list(now, most);

      test('are found in all stores, longest due first', async () => {
        const early = NOW - 1_000_000;
        const last = await insert({ expiresAt: early + 2 }, 6n);
        const first = await insert({ expiresAt: early }, 7n);
        const second = await insert({ expiresAt: early + 1 }, 6n);
        await insert({ status: 'approved', expiresAt: null }, 6n);
        expect(await due(early - 1)).toEqual([]);
        expect(await due(early + 1)).toEqual([
          { storeId: 7n, id: first.id },
          { storeId: 6n, id: second.id },
        ]);
        expect(await due(early + 2, 1)).toEqual([{ storeId: 7n, id: first.id }]);
        await write(7n, (orders) => orders.update({ ...first, status: 'expired', expiresAt: null }));
        expect((await due(early + 2)).map(({ id }) => id)).toEqual([second.id, last.id]);
      });
    });
  });
};

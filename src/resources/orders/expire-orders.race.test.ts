import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { openTestDatabase, type TestDatabase } from '../../../test/database.ts';
import { SYSTEM_CALL } from '../../kernel/operation.ts';
import { expireOrders } from './expire-orders.ts';
import type { Order } from './order.ts';
import type { DueOrders } from './orders.repository.ts';
import { moveOrder } from './orders.repository.ts';

let opened: TestDatabase;
beforeEach(async () => {
  opened = openTestDatabase();
  await opened.database.write(SYSTEM_CALL, ({ stores }) => stores.open(1n));
});
afterEach(() => opened.close());

const HOLD_MS = 1000;

const place = () =>
  opened.database.write(SYSTEM_CALL, async ({ pets, orders, now }) => {
    const pet = await pets.insert({ name: 'Rex', categoryId: 1n, status: 'pending' });
    const at = now();
    const times = { placedAt: at, updatedAt: at, expiresAt: at + HOLD_MS };
    const order = await orders.insert({ petId: pet.id, status: 'placed', placedByKeyId: 'key_one', ...times });
    await pets.update(pet, { heldByOrderId: order.id });
    return order;
  });
const statusOf = async ({ id }: Order) => (await opened.database.read(1n).orders.find(id))?.status;

const expire = async (list: DueOrders['list']) => {
  const seen = { most: 0, running: 0, looks: 0 };
  await expireOrders({
    now: opened.clock,
    due: {
      list: (now, most) => {
        seen.looks += 1;
        return list(now, most);
      },
    },
    write: async (storeId, body) => {
      seen.running += 1;
      seen.most = Math.max(seen.most, seen.running);
      try {
        return await opened.database.write({ ...SYSTEM_CALL, storeId }, body);
      } finally {
        seen.running -= 1;
      }
    },
  })();
  return seen;
};
const found = (...orders: Order[]) => orders.map(({ id }) => ({ storeId: 1n, id }));

describe('an order found after its hold has ended', () => {
  test('expires from the moment its hold ends', async () => {
    const order = await place();
    opened.clock.advance(HOLD_MS);
    expect(await expire(async () => found(order))).toMatchObject({ looks: 1 });
    expect(await statusOf(order)).toBe('expired');
  });

  test('is unchanged if its hold has not ended by the clock of the transaction', async () => {
    const order = await place();
    opened.clock.advance(HOLD_MS - 1);
    await expire(async () => found(order));
    expect(await statusOf(order)).toBe('placed');
  });

  test('is unchanged if it was approved or deleted in the meantime, and the others expire', async () => {
    const [approved, order] = [await place(), await place()];
    await opened.database.write(SYSTEM_CALL, (repositories) => moveOrder(repositories, approved, 'approved'));
    opened.clock.advance(HOLD_MS);
    await expire(async () => [{ storeId: 1n, id: 999n }, ...found(approved, order)]);
    expect([await statusOf(approved), await statusOf(order)]).toEqual(['approved', 'expired']);
  });
});

describe('the expiry job', () => {
  test('queries again while it finds a full batch and expires some orders', async () => {
    const order = await place();
    opened.clock.advance(HOLD_MS);
    const { looks } = await expire(async (_, most) => Array.from({ length: most }, () => found(order)).flat());
    expect(looks).toBe(2);
  });

  test('runs at most fifty concurrent transactions', async () => {
    const { most } = await expire(async () => Array.from({ length: 120 }, () => ({ storeId: 1n, id: 999n })));
    expect(most).toBe(50);
  });
});

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { openTestDatabase, type TestDatabase } from '../../test/database.ts';
import { insertWebhookKey, WEBHOOK_KEY } from '../../test/webhook-key.ts';
import { writeInStore } from '../compose/repositories.ts';
import { fanOutEvents } from './fan-out-events.ts';

const ROWS_PER_COMMIT = 1000;
const WEBHOOKS = 10;

describe('fanning out events', () => {
  let opened: TestDatabase;
  let searches: (bigint | undefined)[];
  let isFull: boolean;
  beforeEach(async () => {
    opened = openTestDatabase();
    [searches, isFull] = [[], false];
    await write(1n, insertWebhookKey);
    for (const storeId of [1n, 2n, 3n]) await write(storeId, ({ stores }) => stores.open(storeId));
    for (const storeId of [1n, 2n]) {
      await write(storeId, async ({ webhooks }) => {
        for (let index = 0; index < WEBHOOKS; index += 1) {
          const fields = { url: 'https://example.org/', events: ['pet.created' as const], createdAt: 0 };
          const state = { enabled: true, disabledReason: null, keyId: WEBHOOK_KEY.id, isOperators: false };
          await webhooks.insert({ id: `wh_${index}`, ...fields, ...state }, 'whsec_one');
        }
      });
    }
  });
  afterEach(() => opened.close());

  const write: ReturnType<typeof writeInStore> = (storeId, body) => {
    if (isFull) return Promise.reject(new Error('the disk is full'));
    return writeInStore(opened.database)(storeId, body);
  };
  const append = (storeId: bigint, count: number) =>
    write(storeId, ({ events }) =>
      events.appendMany(Array.from({ length: count }, () => ({ type: 'pet.created' as const, object: {} }))),
    );
  const start = () => {
    const { deliveryQueue } = opened.database.read(1n);
    const lagging = (storeId?: bigint) => {
      searches.push(storeId);
      return deliveryQueue.lagging(storeId);
    };
    return fanOutEvents({ queue: { lagging }, write });
  };
  const count = async (storeId: bigint) => {
    const page = { limit: 1000, order: 'asc' } as const;
    return (await opened.database.read(storeId).webhooks.listDeliveries('wh_0', page)).length;
  };

  test('adds a limited number of deliveries per commit, and returns whether events are left', async () => {
    const fanOut = start();
    await append(1n, ROWS_PER_COMMIT / WEBHOOKS + 1);
    expect([await fanOut(1n), await count(1n)]).toEqual([true, ROWS_PER_COMMIT / WEBHOOKS]);
    expect([await fanOut(1n), await count(1n)]).toEqual([false, ROWS_PER_COMMIT / WEBHOOKS + 1]);
    expect(await fanOut(1n)).toBeFalse();
  });

  test('searches once for stores that an earlier process left, and then only in the announced store', async () => {
    const fanOut = start();
    await append(2n, 1);
    await append(1n, 1);
    expect([await fanOut(1n), await count(1n), await count(2n)]).toEqual([false, 1, 0]);
    expect([await fanOut(undefined), await count(2n)]).toEqual([false, 1]);
    await fanOut(undefined);
    await fanOut(3n);
    expect(searches).toEqual([1n, undefined, 3n]);
  });

  test('is retried for a store whose transaction failed', async () => {
    const fanOut = start();
    await fanOut(undefined);
    await append(1n, 1);
    isFull = true;
    expect(fanOut(1n)).rejects.toThrow('the disk is full');
    isFull = false;
    expect([await fanOut(undefined), await count(1n)]).toEqual([false, 1]);
  });

  test('writes nothing for a store without webhooks', async () => {
    const fanOut = start();
    await append(3n, 1);
    isFull = true;
    expect(await fanOut(3n)).toBeFalse();
  });
});

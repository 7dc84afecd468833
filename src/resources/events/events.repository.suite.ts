import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { readRows, type TestDatabase } from '../../../test/database.ts';
import type { Repositories } from '../../compose/repositories.ts';
import type { Change } from '../../kernel/operation.ts';
import { SYSTEM_CALL } from '../../kernel/operation.ts';

const ASC = { limit: 100, order: 'asc' } as const;
const CREATED: Change = { type: 'pet.created', object: {} };

export const describeEventRepository = (openEngine: () => Promise<TestDatabase>): void => {
  let engine: TestDatabase;
  beforeEach(async () => {
    engine = await openEngine();
    for (const storeId of [1n, 2n, 3n]) await write(storeId, ({ stores }) => stores.open(storeId));
  });
  afterEach(() => engine.close());

  const write = <Result>(storeId: bigint, body: (repositories: Repositories) => Promise<Result>) =>
    engine.database.write({ ...SYSTEM_CALL, storeId }, body);
  const events = (storeId = 1n) => engine.database.read(storeId).events;
  const ALL = { withOperators: true };
  const list = (storeId = 1n, withOperators = true) => events(storeId).list({ withOperators }, ASC);
  const sequences = async (storeId: bigint) => (await list(storeId)).map(({ sequence }) => sequence);
  /** Also calls `range`, because on PostgreSQL, an event has no sequence number until a read like this assigns one. */
  const append = async (change: Change, storeId = 1n) => {
    await write(storeId, async (repositories) => repositories.events.append(change));
    await events(storeId).range();
  };
  const forget = (before: number, most: number, storeId = 1n) =>
    write(storeId, (repositories) => repositories.events.forget(before, most));

  describe('the events of a store', () => {
    test('name the order that caused them, if any', async () => {
      await append({ ...CREATED, petId: 7n });
      await append({ type: 'pet.status_changed', object: {}, petId: 7n, orderId: 5n });
      expect((await list()).map(({ orderId }) => orderId)).toEqual([null, 5n]);
    });

    test('name the category into which a deleted category was merged, if any', async () => {
      await append({ type: 'category.deleted', object: { id: 1 } });
      await append({ type: 'category.deleted', object: { id: 2 }, mergedInto: { id: 3, name: 'Cats' } });
      expect((await list()).map(({ data }) => JSON.parse(data))).toEqual([
        { object: { id: 1 } },
        { object: { id: 2 }, mergedInto: { id: 3, name: 'Cats' } },
      ]);
    });

    test('can be listed for one pet', async () => {
      for (const petId of [7n, 8n, 7n]) await append({ ...CREATED, petId });
      await append(CREATED);
      expect((await events().listOfPet(7n, ASC)).map(({ sequence }) => sequence)).toEqual([1n, 3n]);
    });

    test('can be found by sequence until they are deleted', async () => {
      for (const petId of [7n, 8n]) await append({ ...CREATED, petId });
      await append(CREATED, 2n);
      expect(await events().find(2n, ALL)).toEqual((await list())[1]);
      expect([await events().find(3n, ALL), await events(2n).find(2n, ALL), await events(99n).find(1n, ALL)]).toEqual([
        undefined,
        undefined,
        undefined,
      ]);
      expect(await forget(engine.clock() + 1, 1)).toBe(1);
      expect(await events().find(1n, ALL)).toBeUndefined();
      expect((await events().find(2n, ALL))?.sequence).toBe(2n);
    });

    test('are all stored, whether many are appended or only one', async () => {
      await write(1n, (repositories) => repositories.events.appendMany([CREATED]));
      expect(await sequences(1n)).toEqual([1n]);
      await write(1n, (repositories) => repositories.events.appendMany([CREATED, CREATED]));
      expect(await sequences(1n)).toEqual([1n, 2n, 3n]);
    });

    test('include events about keys and webhooks only with operator access', async () => {
      for (const type of ['pet.created', 'key.created', 'webhook.created', 'order.placed'] as const) {
        await append({ type, object: {} });
      }
      const types = async (withOperators: boolean) => (await list(1n, withOperators)).map(({ type }) => type);
      expect(await types(false)).toEqual(['pet.created', 'order.placed']);
      expect(await types(true)).toEqual(['pet.created', 'key.created', 'webhook.created', 'order.placed']);
    });

    test('are counted, without deleted events and events in other stores', async () => {
      const count = () => write(1n, (repositories) => repositories.events.count());
      expect(await count()).toBe(0);
      for (const storeId of [1n, 1n, 1n, 2n]) await append(CREATED, storeId);
      expect(await sequences(1n)).toHaveLength(3);
      expect(await count()).toBe(3);
      expect(await forget(engine.clock() + 1, 2)).toBe(2);
      expect(await count()).toBe(1);
      expect(await forget(engine.clock() + 1, 2)).toBe(1);
      expect(await count()).toBe(0);
    });

    test('are subtracted from the counts of their hour and day when they are deleted', async () => {
      const HOUR_MS = 3_600_000;
      engine.clock.advance(HOUR_MS - (engine.clock() % HOUR_MS));
      const start = engine.clock();
      const sold: Change = { type: 'pet.status_changed', object: { status: 'sold' } };
      const counts = async (period: 'hour' | 'day', storeId = 1n) => {
        const found = await events(storeId).counts({ period, from: 0, to: start + 2 * 86_400_000 });
        return found.map(({ kind, count }) => `${kind} ${count}`);
      };
      for (const change of [CREATED, sold]) await append(change);
      await append(CREATED, 2n);
      engine.clock.advance(1000);
      for (const change of [CREATED, sold]) await append(change);
      engine.clock.advance(1);
      const all = ['pet.created 2', 'pet.status_changed 2', 'sold 2'];
      expect([await counts('hour'), await counts('day')]).toEqual([all, all]);
      expect(await forget(start + 1000, 9)).toBe(2);
      const half = ['pet.created 1', 'pet.status_changed 1', 'sold 1'];
      expect([await counts('hour'), await counts('day')]).toEqual([half, half]);
      expect(await forget(engine.clock(), 9)).toBe(2);
      expect([await counts('hour'), await counts('day')]).toEqual([[], []]);
      await append(CREATED);
      expect([await counts('hour'), await counts('day')]).toEqual([['pet.created 1'], ['pet.created 1']]);
      expect(await counts('hour', 2n)).toEqual(['pet.created 1']);
    });

    test('leave no counts for periods that ended before the oldest event', async () => {
      const HOUR_MS = 3_600_000;
      for (let hour = 0; hour < 60; hour += 1) {
        await append(CREATED);
        engine.clock.advance(HOUR_MS);
      }
      while ((await forget(engine.clock() - HOUR_MS, 7)) > 0);
      const rows = async () =>
        Number((await readRows(engine.path, 'SELECT count(*) AS n FROM event_counts WHERE store_id = 1'))[0].n);
      expect(await list()).toHaveLength(1);
      expect(await rows()).toBe(2);
    });

    test('are counted before they have a sequence', async () => {
      const count = await write(1n, async ({ events }) => {
        await events.appendMany([CREATED, CREATED]);
        return events.count();
      });
      expect(count).toBe(2);
    });

    test('start at sequence 1 in a store that does not exist yet', async () => {
      expect(await events(99n).range()).toEqual({ first: 1n, last: 0n });
    });

    test('are deleted if they are older than a given time, up to a given number, and in no other store', async () => {
      const first = engine.clock();
      for (const storeId of [1n, 2n]) await append(CREATED, storeId);
      engine.clock.advance(10);
      for (const storeId of [1n, 2n]) for (const _ of [2, 3]) await append(CREATED, storeId);
      const now = engine.clock();
      expect([await forget(first, 9), await forget(now, 9)]).toEqual([0, 1]);
      expect(await sequences(1n)).toEqual([2n, 3n]);
      expect([await forget(now + 1, 1), await forget(now + 1, 9)]).toEqual([1, 1]);
      expect(await sequences(2n)).toEqual([1n, 2n, 3n]);
    });
  });

  test('a store has old events if its first event is older than the given time, or if that time is not recorded yet', async () => {
    const first = engine.clock();
    for (const storeId of [2n, 3n]) await append(CREATED, storeId);
    engine.clock.advance(10);
    await append(CREATED, 1n);
    const now = engine.clock();
    const stores = async (before: number, most = 9) => engine.database.read(1n).oldEvents.stores(before, most);
    const ours = [1n, 2n, 3n];
    expect((await stores(first)).filter((id) => ours.includes(id)).sort()).toEqual(ours);
    // Here, `forget` deletes nothing, but it records the time of each store's first event.
    for (const storeId of ours) expect(await forget(first, 9, storeId)).toBe(0);
    expect(await stores(first)).toEqual([]);
    expect((await stores(first + 1)).sort()).toEqual([2n, 3n]);
    expect((await stores(now)).sort()).toEqual([2n, 3n]);
    expect((await stores(now + 1)).at(-1)).toBe(1n);
    expect(await stores(now + 1, 2)).toHaveLength(2);
    expect(await forget(now, 9, 2n)).toBe(1);
    expect(await stores(now)).toEqual([3n]);
    // If a store has no events, `forget` records the current time.
    engine.clock.advance(1000);
    expect(await forget(now, 9, 2n)).toBe(0);
    expect(await stores(now + 1000)).not.toContain(2n);
    expect(await stores(now + 1001)).toContain(2n);
  });
};

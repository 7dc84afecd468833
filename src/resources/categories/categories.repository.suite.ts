import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { SYSTEM_CALL } from '../../kernel/operation.ts';
import type { MaybePromise } from '../../kernel/runtime.ts';
import type { Database } from '../../storage/database.ts';
import type { CategoryRepository } from './categories.repository.ts';

type Repositories = { categories: CategoryRepository };
type Engine = { database: Database<Repositories, Repositories>; close(): Promise<void> };

const HIGHEST = 2n ** 63n - 1n;
const LOWEST = -(2n ** 63n);

const createPick = () => {
  let state = 1;
  return (below: number): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
};

export const describeCategoryRepository = (openEngine: () => Promise<Engine>): void => {
  describe('the category repository', () => {
    let engine: Engine;
    let storeId = 100n;
    beforeAll(async () => {
      engine = await openEngine();
    });
    afterAll(() => engine.close());

    const write = <Result>(store: bigint, body: (categories: CategoryRepository) => MaybePromise<Result>) =>
      engine.database.write({ ...SYSTEM_CALL, storeId: store }, ({ categories }) => body(categories));
    const list = (store: bigint, page: { limit?: number; order?: 'asc' | 'desc'; after?: bigint } = {}) =>
      engine.database.read(store).categories.list({ limit: 100, order: 'asc', ...page });
    const emptyStore = () => {
      storeId += 1n;
      return storeId;
    };

    test('records an id once, without a name, and never removes a name', async () => {
      const store = emptyStore();
      await write(store, (categories) => categories.record(7n));
      await write(store, (categories) => categories.record(7n));
      expect(await list(store)).toEqual([{ id: 7n, name: null }]);
      await write(store, (categories) => categories.rename(7n, 'Owls'));
      await write(store, (categories) => categories.record(7n));
      expect(await list(store)).toEqual([{ id: 7n, name: 'Owls' }]);
    });

    test('finds a category by id only in its own store, with every digit', async () => {
      const store = emptyStore();
      const other = emptyStore();
      await write(store, async (categories) => {
        for (const id of [LOWEST, 0n, HIGHEST]) await categories.record(id);
      });
      const { categories } = engine.database.read(store);
      expect(await categories.find(HIGHEST)).toEqual({ id: HIGHEST, name: null });
      expect(await categories.find(HIGHEST - 1n)).toBeUndefined();
      expect(await engine.database.read(other).categories.find(HIGHEST)).toBeUndefined();
    });

    test('adds a category with the lowest free id, filling gaps first', async () => {
      const store = emptyStore();
      const add = (name: string, first = 1000n) => write(store, (categories) => categories.insert(name, first));
      await write(store, async (categories) => {
        for (const id of [999n, 1002n, HIGHEST]) await categories.record(id);
      });
      const added = [];
      for (const name of ['Ants', 'Bees', 'Crabs', 'Dodos']) added.push((await add(name)).id);
      expect(added).toEqual([1000n, 1001n, 1003n, 1004n]);
      expect(await engine.database.read(store).categories.find(1003n)).toEqual({ id: 1003n, name: 'Crabs' });
      expect(await add('Eels', 5000n)).toEqual({ id: 5000n, name: 'Eels' });
    });

    test('adds a category with the lowest free id, whatever ids were recorded and in whatever order', async () => {
      const store = emptyStore();
      const taken = new Set([0n, -1n, LOWEST, HIGHEST]);
      const pick = createPick();
      for (let round = 0; round < 40; round += 1) {
        const ids = Array.from({ length: 10 }, () => 1000n + BigInt(pick(300)));
        await write(store, async (categories) => {
          for (const id of [...taken, ...ids]) await categories.record(id);
        });
        for (const id of ids) taken.add(id);
        let lowest = 1000n;
        while (taken.has(lowest)) lowest += 1n;
        expect((await write(store, (categories) => categories.insert('Ants', 1000n))).id).toBe(lowest);
        taken.add(lowest);
      }
    });

    test('adds a category after those that concurrent transactions record', async () => {
      const store = emptyStore();
      const ids = Array.from({ length: 200 }, (_, index) => 1000n + BigInt((index * 73) % 200));
      await Promise.all(ids.map((id) => write(store, (categories) => categories.record(id))));
      const add = () => write(store, (categories) => categories.insert('Ants', 1000n));
      expect([(await add()).id, (await add()).id]).toEqual([1200n, 1201n]);
    });

    test('reuses the ids of a rolled-back transaction', async () => {
      const store = emptyStore();
      const undone = write(store, async (categories) => {
        for (const id of [1000n, 1001n]) await categories.record(id);
        await categories.insert('Ants', 1000n);
        throw new Error('undone');
      });
      await expect(undone).rejects.toThrow('undone');
      expect((await write(store, (categories) => categories.insert('Bees', 1000n))).id).toBe(1000n);
    });

    test('refuses a category if no id is left', async () => {
      const store = emptyStore();
      const full = write(store, async (categories) => {
        for (const id of [HIGHEST - 1n, HIGHEST]) await categories.record(id);
        await categories.insert('Ants', HIGHEST - 1n);
      });
      await expect(full).rejects.toThrow('is taken');
    });

    test('numbers the categories of each store separately', async () => {
      const stores = [emptyStore(), emptyStore()];
      for (const store of stores) {
        expect((await write(store, (categories) => categories.insert('Ants', 1000n))).id).toBe(1000n);
      }
    });

    test('assigns distinct ids to categories added concurrently', async () => {
      const store = emptyStore();
      const added = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          write(store, (categories) => categories.insert(`No. ${index}`, 1000n)),
        ),
      );
      const ids = added.map(({ id }) => id).sort((a, b) => Number(a - b));
      expect(ids).toEqual(Array.from({ length: 50 }, (_, index) => 1000n + BigInt(index)));
    });

    test('removes categories in batches and frees their ids', async () => {
      const [store, other] = [emptyStore(), emptyStore()];
      for (const each of [store, other]) {
        await write(each, async (categories) => {
          for (const id of [-5n, 1000n, 1001n, 1003n, HIGHEST]) await categories.record(id);
        });
      }
      const removed = [];
      for (let round = 0; round < 4; round += 1) {
        removed.push(await write(store, (categories) => categories.removeSome(2)));
      }
      expect(removed).toEqual([2, 2, 1, 0]);
      expect((await write(store, (categories) => categories.insert('Ants', 1000n))).id).toBe(1000n);
      expect((await write(other, (categories) => categories.insert('Ants', 1000n))).id).toBe(1002n);
    });

    test('also removes the ids of deleted categories', async () => {
      const store = emptyStore();
      const ids = [1000n, 1002n, 1004n, 1006n, 1008n];
      await write(store, async (categories) => {
        for (const id of ids) await categories.record(id);
        for (const id of ids) await categories.remove(id);
      });
      let rounds = 0;
      while ((await write(store, (categories) => categories.removeSome(2))) > 0) rounds += 1;
      expect(rounds).toBe(3);
      expect((await write(store, (categories) => categories.insert('Ants', 1000n))).id).toBe(1000n);
    });

    test('renames only the given category', async () => {
      const store = emptyStore();
      await write(store, async (categories) => {
        for (const id of [1n, 2n]) await categories.record(id);
        await categories.rename(1n, 'Dogs');
      });
      expect(await list(store)).toEqual([
        { id: 1n, name: 'Dogs' },
        { id: 2n, name: null },
      ]);
    });

    test('lists categories by id in both orders, strictly after a position', async () => {
      const store = emptyStore();
      const ids = [LOWEST, -1n, 0n, 5n, HIGHEST];
      await write(store, async (categories) => {
        for (const id of ids.toReversed()) await categories.record(id);
      });
      const found = async (page: Parameters<typeof list>[1]) => (await list(store, page)).map(({ id }) => id);
      expect(await found({})).toEqual(ids);
      expect(await found({ order: 'desc' })).toEqual(ids.toReversed());
      expect(await found({ after: -1n, limit: 2 })).toEqual([0n, 5n]);
      expect(await found({ after: 0n, order: 'desc' })).toEqual([-1n, LOWEST]);
      expect(await found({ after: HIGHEST })).toEqual([]);
    });
  });
};

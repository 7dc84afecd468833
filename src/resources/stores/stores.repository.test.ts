import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { onEveryEngine, type TestDatabase } from '../../../test/database.ts';
import { SYSTEM_CALL } from '../../kernel/operation.ts';
import type { StoreRepository } from './stores.repository.ts';
import { FIRST_CATEGORIES } from './stores.repository.ts';

onEveryEngine((open) => {
  describe('the stores of a deployment', () => {
    let opened: TestDatabase;
    beforeEach(async () => {
      opened = await open();
    });
    afterEach(() => opened.close());

    const write = <Result>(body: (stores: StoreRepository) => Promise<Result>) =>
      opened.database.write(SYSTEM_CALL, ({ stores }) => body(stores));
    const names = async (storeId: bigint) =>
      (await opened.database.read(storeId).categories.list({ limit: 9, order: 'asc' })).map(({ name }) => name);
    const rename = (storeId: bigint) =>
      opened.database.write({ ...SYSTEM_CALL, storeId }, ({ categories }) => categories.rename(1n, 'Hounds'));

    test('are created once, with their initial categories', async () => {
      expect(await write((stores) => stores.open(5n))).toBe(true);
      expect(await names(5n)).toEqual([...FIRST_CATEGORIES]);
      await rename(5n);
      expect(await write((stores) => stores.open(5n))).toBe(false);
      expect(await names(5n)).toEqual(['Hounds', ...FIRST_CATEGORIES.slice(1)]);
      await write((stores) => stores.addFirstCategories(5n));
      expect(await names(5n)).toEqual([...FIRST_CATEGORIES]);
    });

    test('count their own pets, from zero', async () => {
      for (const id of [5n, 6n]) await write((stores) => stores.open(id));
      const counts = () =>
        Promise.all([5n, 6n].map((storeId) => opened.database.read(storeId).stores.countPets(storeId)));
      expect(await counts()).toEqual([0n, 0n]);
      const call = { ...SYSTEM_CALL, storeId: 5n };
      await opened.database.write(call, ({ pets }) => pets.insert({ name: 'Rex', categoryId: 1n, status: 'sold' }));
      expect(await counts()).toEqual([1n, 0n]);
    });

    test('get the next unused number', async () => {
      const first = await write((stores) => stores.openNext());
      await write((stores) => stores.open(first + 1n));
      const next = await write((stores) => stores.openNext());
      expect(next).toBeGreaterThan(first + 1n);
      expect(await names(next)).toEqual([...FIRST_CATEGORIES]);
    });

    test('are resetting from the start to the end of a reset, and a missing store never is', async () => {
      for (const id of [5n, 6n]) await write((stores) => stores.open(id));
      const isResetting = () =>
        write(async (stores) => [
          await stores.isResetting(5n),
          await stores.isResetting(6n),
          await stores.isResetting(7n),
        ]);
      expect(await isResetting()).toEqual([false, false, false]);
      expect(await write((stores) => stores.continueReset(5n))).toBe(false);
      const reset = { storeId: 5n, keyId: 'key_one', requestId: 'req_one' };
      await write((stores) => stores.beginReset(reset));
      expect(await isResetting()).toEqual([true, false, false]);
      const { stores } = opened.database.read(5n);
      expect([await stores.findReset(5n), await stores.findReset(6n)]).toEqual([reset, undefined]);
      expect(await write((stores) => stores.continueReset(5n))).toBe(true);
      await write((stores) => stores.endReset(5n));
      expect(await isResetting()).toEqual([false, false, false]);
      expect(await stores.findReset(5n)).toBeUndefined();
      await write((stores) => stores.beginReset({ storeId: 5n, keyId: null, requestId: null }));
      expect(await stores.findReset(5n)).toEqual({ storeId: 5n, keyId: null, requestId: null });
    });

    test('whose reset was abandoned longest ago are found first', async () => {
      const begunAt = opened.clock();
      const ids = [7n, 5n, 6n];
      for (const storeId of ids) {
        await write((stores) => stores.open(storeId));
        await write((stores) => stores.beginReset({ storeId, keyId: null, requestId: null }));
        opened.clock.advance(10);
      }
      const left = async (since: number, most = 9) =>
        (await opened.database.read(1n).stores.listAbandonedResets(since, most)).map(({ storeId }) => storeId);
      expect(await left(begunAt + 20)).toEqual([7n, 5n]);
      expect(await left(begunAt + 21, 2)).toEqual([7n, 5n]);
      await write((stores) => stores.continueReset(7n));
      expect(await left(begunAt + 31)).toEqual([5n, 6n, 7n]);
      await write((stores) => stores.endReset(5n));
      expect(await left(begunAt + 31)).toEqual([6n, 7n]);
    });
  });
});

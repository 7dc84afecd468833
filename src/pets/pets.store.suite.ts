import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Database } from '../database/database.ts';
import { OWN_CALL } from '../kernel/operation.ts';
import type { PetFilter, PetStore } from './pets.store.ts';

type Engine = {
  database: Database<{ pets: PetStore }, { pets: PetStore }>;
  reopen(): Promise<void>;
  close(): Promise<void>;
};

const call = (storeId: bigint) => ({ ...OWN_CALL, storeId });
const rex = { name: 'Rex', categoryId: 1n, status: 'available' } as const;

/** What any store of animals must do, whatever engine keeps them. */
export const describePetStore = (engineName: string, openEngine: () => Engine): void => {
  describe(`the pet store on ${engineName}`, () => {
    let engine: Engine;
    beforeAll(() => {
      engine = openEngine();
    });
    afterAll(() => engine.close());

    const insert = (pet: Parameters<PetStore['insert']>[0], storeId = 1n) =>
      engine.database.write(call(storeId), ({ pets }) => pets.insert(pet));
    const pets = (storeId = 1n) => engine.database.read(storeId).pets;

    test('finds an animal as it was inserted, at version 1', async () => {
      const inserted = await insert({ name: 'Zoë 🐕', categoryId: -(2n ** 63n), status: 'sold' });
      expect(await pets().find(inserted.id)).toEqual({
        id: inserted.id,
        name: 'Zoë 🐕',
        categoryId: -(2n ** 63n),
        status: 'sold',
        version: 1n,
      });
    });

    test('finds nothing under an id that was never given', async () => {
      expect(await pets().find(2n ** 63n - 1n)).toBeUndefined();
    });

    test('shows an animal to its own store only', async () => {
      const { id } = await insert(rex, 2n);
      expect(await pets(2n).find(id)).toBeDefined();
      expect(await pets(1n).find(id)).toBeUndefined();
      expect(await pets(1n).list({ ids: [id] }, { limit: 10, order: 'asc' })).toEqual([]);
    });

    test('gives ids that rise over all stores', async () => {
      const ids = [];
      for (const storeId of [1n, 2n, 3n, 1n]) ids.push((await insert(rex, storeId)).id);
      expect(ids).toEqual(ids.toSorted((a, b) => Number(a - b)));
      expect(new Set(ids).size).toBe(4);
    });

    test('never gives an id twice, not after a rollback and not after a restart', async () => {
      const seen = [(await insert(rex)).id];
      await engine.database
        .write(call(1n), async ({ pets }) => {
          seen.push((await pets.insert(rex)).id);
          throw new Error('roll back');
        })
        .catch(() => undefined);
      seen.push((await insert(rex)).id);
      await engine.reopen();
      seen.push((await insert(rex)).id);
      expect(new Set(seen).size).toBe(4);
      expect(seen).toEqual(seen.toSorted((a, b) => Number(a - b)));
    });

    test('keeps nothing of an insert that is rolled back, counts included', async () => {
      const before = await pets().inventory();
      const rolledBack = engine.database.write(call(1n), async ({ pets }) => {
        await pets.insert(rex);
        throw new Error('roll back');
      });
      await expect(rolledBack).rejects.toThrow('roll back');
      expect(await pets().inventory()).toEqual(before);
    });

    test('counts the animals of each status, and the counts equal the rows', async () => {
      const storeId = 4n;
      expect(await pets(storeId).inventory()).toEqual({ available: 0n, pending: 0n, sold: 0n });
      const statuses = ['available', 'sold', 'sold', 'pending', 'available', 'sold'] as const;
      await Promise.all(statuses.map((status) => insert({ ...rex, status }, storeId)));
      expect(await pets(storeId).inventory()).toEqual({ available: 2n, pending: 1n, sold: 3n });
      const sold = await pets(storeId).list({ status: 'sold' }, { limit: 100, order: 'asc' });
      expect(sold).toHaveLength(3);
    });

    describe('lists', () => {
      const storeId = 5n;
      let ids: bigint[];
      beforeAll(async () => {
        ids = [];
        for (let index = 0; index < 8; index += 1) {
          const status = index % 2 === 0 ? 'available' : 'sold';
          ids.push((await insert({ name: `Pet ${index}`, categoryId: BigInt(index % 4), status }, storeId)).id);
        }
      });
      const list = async (filter: PetFilter, page: { limit?: number; order?: 'asc' | 'desc'; after?: bigint } = {}) =>
        (await pets(storeId).list(filter, { limit: 100, order: 'asc', ...page })).map(({ id }) => id);
      const at = (...indexes: number[]) => indexes.map((index) => ids[index] as bigint);

      test('all animals by id, in both orders', async () => {
        expect(await list({})).toEqual(ids);
        expect(await list({}, { order: 'desc' })).toEqual(ids.toReversed());
      });

      test('at most so many, strictly behind a position', async () => {
        expect(await list({}, { limit: 3, after: ids[1] as bigint })).toEqual(at(2, 3, 4));
        expect(await list({}, { limit: 2, after: ids[4] as bigint, order: 'desc' })).toEqual(at(3, 2));
        expect(await list({}, { after: ids[7] as bigint })).toEqual([]);
      });

      test('those that match every filter', async () => {
        expect(await list({ status: 'sold' })).toEqual(at(1, 3, 5, 7));
        expect(await list({ categoryId: 0n })).toEqual(at(0, 4));
        expect(await list({ status: 'sold', categoryId: 0n })).toEqual([]);
        expect(await list({ ids: at(6, 2, 3) })).toEqual(at(2, 3, 6));
        expect(await list({ ids: at(6, 2, 3), status: 'available', categoryId: 2n })).toEqual(at(2, 6));
        expect(await list({ ids: at(6, 2, 3), status: 'available' }, { after: ids[2] as bigint })).toEqual(at(6));
      });
    });
  });
};

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { SYSTEM_CALL } from '../../kernel/operation.ts';
import type { Database } from '../../storage/database.ts';
import { PET_STATUSES, type PetStatus } from './pet.ts';
import type { PetFilter, PetRepository } from './pets.repository.ts';

type Engine = {
  database: Database<{ pets: PetRepository }, { pets: PetRepository }>;
  reopen(): Promise<void>;
  close(): Promise<void>;
};

const call = (storeId: bigint) => ({ ...SYSTEM_CALL, storeId });
const rex = { name: 'Rex', categoryId: 1n, status: 'available' } as const;

export const describePetRepository = (openEngine: () => Promise<Engine>): void => {
  describe('the pet repository', () => {
    let engine: Engine;
    beforeAll(async () => {
      engine = await openEngine();
    });
    afterAll(() => engine.close());

    const insert = (pet: Parameters<PetRepository['insert']>[0], storeId = 1n) =>
      engine.database.write(call(storeId), ({ pets }) => pets.insert(pet));
    const pets = (storeId = 1n) => engine.database.read(storeId).pets;

    test('finds a pet as it was inserted, at version 1', async () => {
      const inserted = await insert({ name: 'Zoë 🐕', categoryId: -(2n ** 63n), status: 'sold' });
      expect(await pets().find(inserted.id)).toEqual({
        id: inserted.id,
        name: 'Zoë 🐕',
        categoryId: -(2n ** 63n),
        status: 'sold',
        version: 1n,
        heldByOrderId: null,
      });
    });

    test('inserts many pets like single ones, and counts them all', async () => {
      const store = 77n;
      const given = PET_STATUSES.flatMap((status) => Array.from({ length: 20 }, () => ({ ...rex, status })));
      const inserted = await engine.database.write(call(store), ({ pets }) => pets.insertMany(given));
      expect(inserted.map(({ status }) => status)).toEqual(given.map(({ status }) => status));
      expect(await pets(store).list({}, { limit: 100, order: 'asc' })).toEqual(inserted);
      expect(await pets(store).inventory()).toEqual({ available: 20n, pending: 20n, sold: 20n });
      expect(await engine.database.write(call(store), ({ pets }) => pets.insertMany([]))).toEqual([]);
    });

    test('finds nothing for an unknown id', async () => {
      expect(await pets().find(2n ** 63n - 1n)).toBeUndefined();
    });

    test('shows a pet only to its own store', async () => {
      const { id } = await insert(rex, 22n);
      expect(await pets(22n).find(id)).toBeDefined();
      expect(await pets(23n).find(id)).toBeUndefined();
      expect(await pets(23n).list({ ids: [id] }, { limit: 10, order: 'asc' })).toEqual([]);
    });

    test('assigns ascending ids from 1 in each store', async () => {
      const ids = [];
      for (const storeId of [31n, 32n, 33n, 31n]) ids.push((await insert(rex, storeId)).id);
      expect(ids).toEqual([1n, 1n, 1n, 2n]);
    });

    test('never assigns an id twice, even after a rollback or restart', async () => {
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

    test('keeps nothing of a rolled-back insert, including the counts', async () => {
      const before = await pets().inventory();
      const rolledBack = engine.database.write(call(1n), async ({ pets }) => {
        await pets.insert(rex);
        throw new Error('roll back');
      });
      await expect(rolledBack).rejects.toThrow('roll back');
      expect(await pets().inventory()).toEqual(before);
    });

    test('counts the pets by status, and the counts match the rows', async () => {
      const storeId = 4n;
      expect(await pets(storeId).inventory()).toEqual({ available: 0n, pending: 0n, sold: 0n });
      const statuses = ['available', 'sold', 'sold', 'pending', 'available', 'sold'] as const;
      await Promise.all(statuses.map((status) => insert({ ...rex, status }, storeId)));
      expect(await pets(storeId).inventory()).toEqual({ available: 2n, pending: 1n, sold: 3n });
      const sold = await pets(storeId).list({ status: 'sold' }, { limit: 100, order: 'asc' });
      expect(sold).toHaveLength(3);
    });

    describe('a change', () => {
      const change = (id: bigint, changes: Parameters<PetRepository['update']>[1], storeId = 1n) =>
        engine.database.write(call(storeId), async ({ pets }) => {
          const pet = await pets.lock(id);
          return pet && pets.update(pet, changes);
        });

      test('replaces old values and increments the version', async () => {
        const { id } = await insert(rex);
        const changed = {
          id,
          name: 'Bella',
          categoryId: 2n ** 63n - 1n,
          status: 'pending',
          heldByOrderId: 7n,
        } as const;
        const { id: _, ...changes } = changed;
        expect(await change(id, changes)).toEqual({ ...changed, version: 2n });
        expect(await pets().find(id)).toEqual({ ...changed, version: 2n });
      });

      const seen: [string, Parameters<typeof change>[1]][] = [
        ['name', { name: 'Bella' }],
        ['category', { categoryId: 2n }],
        ['status', { status: 'sold' }],
      ];
      test.each(seen)('of only its %s increments the version', async (_, changes) => {
        const { id } = await insert(rex);
        expect(await change(id, changes)).toMatchObject({ ...changes, version: 2n });
        expect(await pets().find(id)).toMatchObject({ ...changes, version: 2n });
      });

      test('of fields hidden from callers keeps the version', async () => {
        const { id } = await insert(rex);
        expect(await change(id, { heldByOrderId: 7n })).toMatchObject({ heldByOrderId: 7n, version: 1n });
        expect(await change(id, { name: 'Rex' })).toMatchObject({ version: 1n });
        expect(await pets().find(id)).toEqual({ ...rex, id, version: 1n, heldByOrderId: 7n });
      });

      test('affects only one pet', async () => {
        const [one, other] = [await insert(rex), await insert(rex)];
        await change(one.id, { name: 'Bella' });
        expect(await pets().find(other.id)).toEqual(other);
      });

      test('finds no pet of another store', async () => {
        const { id } = await insert(rex, 42n);
        expect(await change(id, { name: 'Bella' }, 43n)).toBeUndefined();
        expect((await pets(42n).find(id))?.name).toBe('Rex');
      });

      test('sees its own writes within its transaction', async () => {
        const { id } = await insert(rex);
        const seen = await engine.database.write(call(1n), async ({ pets }) => {
          const pet = await pets.lock(id);
          if (pet) await pets.update(pet, { name: 'Bella' });
          return pets.lock(id);
        });
        expect(seen).toMatchObject({ name: 'Bella', version: 2n });
      });

      test('is not lost when other changes are made concurrently', async () => {
        const { id } = await insert(rex);
        const versions = await Promise.all(
          Array.from({ length: 40 }, async (_, index) => (await change(id, { name: `Rex ${index}` }))?.version),
        );
        expect(new Set(versions).size).toBe(40);
        expect((await pets().find(id))?.version).toBe(41n);
      });

      test('is rolled back with its transaction', async () => {
        const { id } = await insert(rex);
        const undone = engine.database.write(call(1n), async ({ pets }) => {
          const pet = await pets.lock(id);
          if (pet) await pets.update(pet, { status: 'sold' });
          throw new Error('roll back');
        });
        await expect(undone).rejects.toThrow('roll back');
        expect(await pets().find(id)).toEqual({ ...rex, id, version: 1n, heldByOrderId: null });
      });
    });

    describe('a removal', () => {
      test('removes only that pet', async () => {
        const [gone, stays] = [await insert(rex, 6n), await insert(rex, 6n)];
        await engine.database.write(call(6n), ({ pets }) => pets.remove(gone));
        expect(await pets(6n).find(gone.id)).toBeUndefined();
        expect(await pets(6n).list({}, { limit: 9, order: 'asc' })).toEqual([stays]);
        expect(await pets(6n).inventory()).toEqual({ available: 1n, pending: 0n, sold: 0n });
      });

      test('of several pets returns them, updates the counts and changes nothing else', async () => {
        const inserted = [await insert(rex, 7n), await insert({ ...rex, status: 'sold' }, 7n)];
        const other = await insert(rex, 8n);
        const last = await insert(rex, 7n);
        const remove = () => engine.database.write(call(7n), ({ pets }) => pets.removeSome(2));
        expect((await remove()).toSorted((a, b) => Number(a.id - b.id))).toEqual(inserted);
        expect(await pets(7n).inventory()).toEqual({ available: 1n, pending: 0n, sold: 0n });
        expect(await remove()).toEqual([last]);
        expect(await remove()).toEqual([]);
        expect(await pets(7n).list({}, { limit: 9, order: 'asc' })).toEqual([]);
        expect(await pets(7n).inventory()).toEqual({ available: 0n, pending: 0n, sold: 0n });
        expect(await pets(8n).find(other.id)).toEqual(other);
        expect(await pets(8n).inventory()).toEqual({ available: 1n, pending: 0n, sold: 0n });
        expect((await insert(rex, 7n)).id).toBeGreaterThan(other.id);
        expect(await pets(7n).inventory()).toEqual({ available: 1n, pending: 0n, sold: 0n });
      });
    });

    describe('the counts', () => {
      const storeId = 9n;
      const countRows = async () => {
        const all = await pets(storeId).list({}, { limit: 10_000, order: 'asc' });
        const of = (status: string) => BigInt(all.filter((pet) => pet.status === status).length);
        return { available: of('available'), pending: of('pending'), sold: of('sold') };
      };

      const act = (turn: number) =>
        engine.database
          .write(call(storeId), async ({ pets }) => {
            const status = PET_STATUSES[(turn * 7) % 3] as PetStatus;
            const [seen] = await pets.list({}, { limit: 1, order: turn % 2 ? 'asc' : 'desc' });
            const some = seen && (await pets.lock(seen.id));
            if (!some || turn % 3 === 0) await pets.insert({ ...rex, status });
            else if (turn % 11 === 0) await pets.remove(some);
            else await pets.update(some, turn % 5 === 0 ? { name: `Rex ${turn}` } : { status });
            if (turn % 7 === 0) throw new Error('roll back');
          })
          .catch(() => undefined);

      test('match the rows after hundreds of concurrent changes, and after a restart', async () => {
        for (let round = 0; round < 10; round += 1) {
          await Promise.all(Array.from({ length: 60 }, (_, index) => act(round * 60 + index)));
          expect(await pets(storeId).inventory()).toEqual(await countRows());
        }
        const counted = await countRows();
        expect(Object.values(counted).every((count) => count > 0n)).toBeTrue();
        await engine.reopen();
        expect(await pets(storeId).inventory()).toEqual(counted);
      });
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

      test('all pets by id, in both orders', async () => {
        expect(await list({})).toEqual(ids);
        expect(await list({}, { order: 'desc' })).toEqual(ids.toReversed());
      });

      test('at most the given number, strictly after a position', async () => {
        expect(await list({}, { limit: 3, after: ids[1] as bigint })).toEqual(at(2, 3, 4));
        expect(await list({}, { limit: 2, after: ids[4] as bigint, order: 'desc' })).toEqual(at(3, 2));
        expect(await list({}, { after: ids[7] as bigint })).toEqual([]);
      });

      test('only pets that match every filter', async () => {
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

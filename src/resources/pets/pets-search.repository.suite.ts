import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { SYSTEM_CALL } from '../../kernel/operation.ts';
import type { Database } from '../../storage/database.ts';
import type { StoreRepository } from '../stores/stores.repository.ts';
import { foldName, PET_STATUSES, type Pet, type PetStatus } from './pet.ts';
import type { PetRepository, PetSearch } from './pets.repository.ts';

type Repositories = { pets: PetRepository; stores: StoreRepository };
type Engine = { database: Database<{ pets: PetRepository }, Repositories>; close(): Promise<void> };

const STORE = 5n;
const NEIGHBOUR = 6n;
const call = (storeId: bigint) => ({ ...SYSTEM_CALL, storeId });

/**
 * Number of pets in the store, chosen to exceed both limits of a search. A search reads at most 5,000 pets in list
 * order. It uses the index only if the index yields at most 2,000 candidates. The names of about 2,500 pets contain
 * "Late".
 */
const COUNT = 8000;
const SPECIAL: Readonly<Record<number, string>> = {
  7500: 'say "hi" AND 50%_\\ off',
  7501: "O'Hara",
  7502: '大きな犬小屋',
  7503: '🐕🐈🐕 pack',
  7504: 'ΝΊΚΟΣ the Greek',
  7505: `${'x'.repeat(61)}end`,
  7506: `${'x'.repeat(62)}cut off`,
};
const nameOf = (index: number): string => {
  if (SPECIAL[index]) return SPECIAL[index];
  if (index % 700 === 5) return `Hercules ${index}`;
  return index >= 5000 && index < 7500 ? `The Late ${index}` : `Rex ${index}`;
};

const inOrder = (asked: PetSearch, order: 'asc' | 'desc', pets: readonly Pet[]): Pet[] => {
  const byName = (a: Pet, b: Pet) => Buffer.compare(Buffer.from(foldName(a.name)), Buffer.from(foldName(b.name)));
  const byId = (a: Pet, b: Pet) => Number(a.id - b.id);
  const isByName = asked.sort === 'name' || asked.name !== undefined;
  const sorted = pets.toSorted((a, b) => (isByName && byName(a, b)) || byId(a, b));
  return order === 'asc' ? sorted : sorted.reverse();
};

const matches = (pet: Pet, { search, name = '', status, categoryId, ids }: PetSearch): boolean =>
  foldName(pet.name).includes(search) &&
  foldName(pet.name).startsWith(name) &&
  (status ?? pet.status) === pet.status &&
  (categoryId ?? pet.categoryId) === pet.categoryId &&
  (ids ?? [pet.id]).includes(pet.id);

export const describePetSearch = (openEngine: () => Promise<Engine>): void => {
  describe('a search for pets', () => {
    let engine: Engine;
    let all: Pet[] = [];
    beforeAll(async () => {
      engine = await openEngine();
      const given = Array.from({ length: COUNT }, (_, index) => ({
        name: nameOf(index),
        categoryId: BigInt(index % 4),
        status: PET_STATUSES[index % 3] as PetStatus,
      }));
      for (const storeId of [STORE, NEIGHBOUR]) {
        await engine.database.write(call(storeId), ({ stores }) => stores.open(storeId));
      }
      for (let index = 0; index < COUNT; index += 1000) {
        all.push(...(await write((pets) => pets.insertMany(given.slice(index, index + 1000)))));
      }
      await write((pets) => pets.insertMany(given.slice(4, 8)), NEIGHBOUR);
    });
    afterAll(() => engine.close());

    const write = <Result>(body: (pets: PetRepository) => Promise<Result>, storeId = STORE): Promise<Result> =>
      engine.database.write(call(storeId), ({ pets }) => body(pets));

    const search = async (asked: PetSearch, { order = 'asc' as 'asc' | 'desc', limit = 40, storeId = STORE } = {}) => {
      const found: Pet[] = [];
      let [pages, longest] = [0, 0];
      for (let after: Parameters<PetRepository['search']>[1]['after']; ; ) {
        const page = await engine.database.read(storeId).pets.search(asked, { limit: limit + 1, order, after });
        const shown = page.pets.slice(0, limit);
        found.push(...shown.map(({ foldedName: _, ...pet }) => pet));
        [pages, longest] = [pages + 1, Math.max(longest, page.pets.length)];
        const next = page.pets.length > limit ? shown.at(-1) : page.end;
        if (next === undefined) return { found, pages, longest };
        after = next;
      }
    };
    const expectFound = async (asked: PetSearch, order: 'asc' | 'desc' = 'asc') => {
      const { found } = await search(asked, { order });
      const expected = all.filter((pet) => matches(pet, asked));
      expect(found).toEqual(inOrder(asked, order, expected));
      return expected.length;
    };

    test.each([
      ['hercules', 12],
      ['ercul', 12],
      ['the late', 2497],
      ['late 55', 100],
      ['x 79', 111],
      ['missing', 0],
      ['rexrex', 0],
    ])('finds names with %j exactly once, in any order', async (text, count) => {
      expect(await expectFound({ search: text })).toBe(count);
      expect(await expectFound({ search: text }, 'desc')).toBe(count);
      expect(await expectFound({ search: text, sort: 'name' })).toBe(count);
      expect(await expectFound({ search: text, sort: 'name' }, 'desc')).toBe(count);
    });

    test.each(['ex 1', 'late', 'hercules', '7', 'zq'])('combines %j with the other filters', async (text) => {
      for (const sort of ['id', 'name'] as const) {
        await expectFound({ search: text, sort, status: 'sold' });
        await expectFound({ search: text, sort, categoryId: 3n });
        await expectFound({ search: text, sort, status: 'pending', categoryId: 1n }, 'desc');
      }
      await expectFound({ search: text, name: 'rex 1' });
      await expectFound({ search: text, name: 'the' }, 'desc');
      await expectFound({ search: text, ids: [6n, 706n, 7000n, 9999n] });
    });

    test.each(['"hi" and', '50%_\\', '%_', "o'h", 'きな犬', '犬', '🐈🐕', 'νίκοσ', 'xend', `${'x'.repeat(62)}cu`])(
      'finds %j, whatever its characters mean to the database',
      async (text) => {
        expect(await expectFound({ search: text })).toBeGreaterThan(0);
      },
    );

    test.each(['50%%', 'h_rcules', 'cut', '"hi" or'])('does not find %j', async (text) => {
      expect(await expectFound({ search: text })).toBe(0);
    });

    test('reads a bounded number of rows per page, and continues on the next page', async () => {
      const common = await search({ search: 'the late' });
      expect(common.found).toHaveLength(2497);
      // The index cannot be used to search for two characters, so the search scans 5,000 pets for the first page.
      expect(await search({ search: 'zq' })).toEqual({ found: [], pages: 2, longest: 0 });
      expect((await search({ search: 'hercules' }, { limit: 100 })).pages).toBe(1);
    });

    test('finds only pets of its own store', async () => {
      const { found } = await search({ search: 'ercul' }, { storeId: NEIGHBOUR });
      expect(found.map(({ id, name }) => [id, name])).toEqual([[2n, 'Hercules 5']]);
      expect((await search({ search: 'the late' }, { storeId: NEIGHBOUR })).found).toEqual([]);
    });

    test('finds a pet by its new name, and no longer by the old one', async () => {
      const renamed = all.filter(({ id }) => [706n, 3000n, 7990n].includes(id));
      for (const { id } of renamed) {
        await write(async (pets) => {
          const held = await pets.lock(id);
          if (held) await pets.update(held, { name: `Persephone ${id}`, status: held.status });
        });
      }
      all = all.map((pet) =>
        renamed.includes(pet) ? { ...pet, name: `Persephone ${pet.id}`, version: pet.version + 1n } : pet,
      );
      expect(await expectFound({ search: 'rsepho' })).toBe(3);
      expect(await expectFound({ search: 'hercules' })).toBe(11);
    });

    test('does not find a removed pet', async () => {
      const removed = all.filter(({ id }) => [1406n, 3000n].includes(id));
      for (const pet of removed) await write((pets) => pets.remove(pet));
      all = all.filter((pet) => !removed.includes(pet));
      expect(await expectFound({ search: 'hercules' })).toBe(10);
      expect(await expectFound({ search: 'rsepho' })).toBe(2);
      const gone = await write((pets) => pets.removeSome(1000));
      all = all.filter(({ id }) => !gone.some((one) => one.id === id));
      expect(await expectFound({ search: 'hercules' })).toBe(9);
    });

    test('finds pets added one by one', async () => {
      for (let index = 0; index < 300; index += 1) {
        const pet = { name: `Zebedee ${index}`, categoryId: 1n, status: 'available' } as const;
        all.push(await write(async (pets) => pets.insert(pet)));
        if (index % 60 === 0) expect(await expectFound({ search: 'bedee' })).toBe(index + 1);
      }
      expect(await expectFound({ search: 'bedee', sort: 'name' }, 'desc')).toBe(300);
    });
  });
};

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { SYSTEM_CALL } from '../../kernel/operation.ts';
import type { Database } from '../../storage/database.ts';
import { foldName, type NamePosition, type PetStatus } from './pet.ts';
import type { PetFilter, PetRepository } from './pets.repository.ts';

type Engine = {
  database: Database<{ pets: PetRepository }, { pets: PetRepository }>;
  close(): Promise<void>;
};

const call = (storeId: bigint) => ({ ...SYSTEM_CALL, storeId });

/** The names in a group differ only in case or Unicode form, so pets within a group are sorted by id. */
const NAMES = [
  [' rex'],
  ['%re'],
  ['Anna', 'ANNA', 'anna', 'ａｎｎａ'],
  ['Anna B'],
  ['Re'],
  ['REX', 'Rex'],
  ['Rexi'],
  ['Ze\u0301', 'ZÉ'],
  ['ze\ud7ff'],
  ['ze\ue000'],
  ['ze\uffff'],
  ['ze🐕'],
  ['ze\u{10ffff}', 'ZE\u{10ffff}'],
  ['ze\u{10ffff}\u{10ffff}'],
  ['zf'],
  // Sorts the groups by the bytes of their folded names, as the databases do. In this order, é comes after e.
].sort(([a = ''], [b = '']) => Buffer.compare(Buffer.from(foldName(a)), Buffer.from(foldName(b))));

export const describePetsByName = (openEngine: () => Promise<Engine>): void => {
  describe('pets by name', () => {
    let engine: Engine;
    beforeAll(async () => {
      engine = await openEngine();
    });
    afterAll(() => engine.close());

    const write = <Result>(body: (pets: PetRepository) => Promise<Result>, storeId = 1n): Promise<Result> =>
      engine.database.write(call(storeId), ({ pets }) => body(pets));
    const list = async (
      filter: PetFilter,
      page: Partial<Parameters<PetRepository['listByName']>[1]> = {},
      storeId = 1n,
    ) => (await engine.database.read(storeId).pets.listByName(filter, { limit: 100, order: 'asc', ...page })).pets;
    const names = async (...asked: Parameters<typeof list>) => (await list(...asked)).map(({ name }) => name);

    const statuses: PetStatus[] = ['available', 'pending', 'sold'];
    const all = NAMES.flat();
    beforeAll(async () => {
      const given = all.map((name, index) => ({
        name,
        categoryId: BigInt(index % 2),
        status: statuses[index % 3] as PetStatus,
      }));
      // Inserts the groups in reverse order, so that the order by id differs from the order by name.
      const groups = NAMES.map((group) => group.map((name) => given.find((each) => each.name === name)));
      await write(async (pets) => {
        for (const pet of groups.toReversed().flat()) if (pet) await pets.insert(pet);
      });
    });
    const at = (matches: (index: number) => boolean) => all.filter((_, index) => matches(index));

    test('are listed by folded name and then by id, in both orders', async () => {
      expect(await names({})).toEqual(all);
      expect(await names({}, { order: 'desc' })).toEqual(all.toReversed());
    });

    test('carry the folded name for the position of the next page', async () => {
      expect((await list({})).map(({ foldedName }) => foldedName)).toEqual(all.map(foldName));
    });

    test('are listed after any position, even between equal names', async () => {
      for (const [index, after] of (await list({})).entries()) {
        expect(await names({}, { after, limit: 3 })).toEqual(all.slice(index + 1, index + 4));
        expect(await names({}, { after, order: 'desc' })).toEqual(all.slice(0, index).toReversed());
      }
    });

    test('are filtered by status, category and ids', async () => {
      expect(await names({ status: 'pending' })).toEqual(at((index) => index % 3 === 1));
      expect(await names({ categoryId: 1n })).toEqual(at((index) => index % 2 === 1));
      expect(await names({ categoryId: 1n, status: 'sold' })).toEqual(at((index) => index % 6 === 5));
      const ids = (await list({})).slice(3, 8).map(({ id }) => id);
      expect(await names({ ids }, { order: 'desc' })).toEqual(all.slice(3, 8).toReversed());
      expect(await names({ ids, categoryId: 0n })).toEqual(at((index) => index >= 3 && index < 8 && index % 2 === 0));
    });

    test.each(['an', 're', 'rex', ' ', '%', '_', '\\', 'ze', 'zé', 'ze\ud7ff', 'ze\u{10ffff}', '\u{10ffff}', 'zg'])(
      'are found by a prefix of the folded name: %j',
      async (prefix) => {
        const found = all.filter((name) => foldName(name).startsWith(prefix));
        expect(await names({ name: prefix })).toEqual(found);
        expect(await names({ name: prefix }, { order: 'desc' })).toEqual(found.toReversed());
        expect(await names({ name: prefix, status: 'sold' })).toEqual(
          found.filter((name) => all.indexOf(name) % 3 === 2),
        );
        for (const [index, after] of (await list({ name: prefix })).entries()) {
          expect(await names({ name: prefix }, { after, limit: 2 })).toEqual(found.slice(index + 1, index + 3));
          expect(await names({ name: prefix }, { after, order: 'desc' })).toEqual(found.slice(0, index).toReversed());
        }
      },
    );

    test('are found by the new name, and no longer by the old one', async () => {
      const pet = { name: 'Before', categoryId: 1n, status: 'available' } as const;
      const { id } = await write(async (pets) => pets.insert(pet), 2n);
      await write(async (pets) => {
        const held = await pets.lock(id);
        if (held) await pets.update(held, { name: 'AFTER' });
      }, 2n);
      expect(await names({ name: 'before' }, {}, 2n)).toEqual([]);
      expect(await names({ name: 'after' }, {}, 2n)).toEqual(['AFTER']);
    });

    test('are found if many were added together', async () => {
      const pets = ['Zoe', 'Ben', 'ÄNNE'].map((name) => ({ name, categoryId: 1n, status: 'sold' }) as const);
      await write((repository) => repository.insertMany(pets), 3n);
      expect(await names({}, {}, 3n)).toEqual(['Ben', 'Zoe', 'ÄNNE']);
      expect(await names({ name: 'ä' }, {}, 3n)).toEqual(['ÄNNE']);
    });

    test('of a category are listed after any position, and combine with a prefix', async () => {
      const filter = { categoryId: 1n } as const;
      const ofCategory = at((index) => index % 2 === 1);
      for (const [index, after] of (await list(filter)).entries()) {
        expect(await names(filter, { after, limit: 2 })).toEqual(ofCategory.slice(index + 1, index + 3));
        expect(await names(filter, { after, order: 'desc' })).toEqual(ofCategory.slice(0, index).toReversed());
      }
      const prefixed = ofCategory.filter((name) => foldName(name).startsWith('ze'));
      expect(prefixed.length).toBeGreaterThan(1);
      expect(await names({ ...filter, name: 'ze' }, { order: 'desc' })).toEqual(prefixed.toReversed());
      expect(await names({ categoryId: 9n })).toEqual([]);
    });

    describe('of a category among many others', () => {
      const [storeId, categoryId] = [5n, 7n];
      const total = (count: number, name: string, category: bigint) =>
        Array.from({ length: count }, (_, index) => ({
          name: `${name} ${1000 + index}`,
          categoryId: category,
          status: statuses[index % 3] as PetStatus,
        }));
      const insert = (pets: ReturnType<typeof total>) => write((repository) => repository.insertMany(pets), storeId);
      const page = async (after?: NamePosition, order: 'asc' | 'desc' = 'asc') =>
        engine.database.read(storeId).pets.listByName({ categoryId }, { limit: 21, order, after });
      beforeAll(async () => {
        for (let times = 0; times < 6; times += 1) await insert(total(1000, 'Filler', 1n));
        for (let times = 0; times < 2; times += 1) await insert(total(1000, 'Late', categoryId));
      });

      test('are found on the first page if the category has at most 2,000 pets', async () => {
        const { pets, end } = await page();
        expect([pets.length, pets[0]?.name, end]).toEqual([21, 'Late 1000', undefined]);
      });

      test('may start on a later page if the category is larger, because a page reads at most 5,000 names', async () => {
        await insert(total(1, 'Zoe', categoryId));
        const first = await page();
        expect([first.pets, first.end?.foldedName]).toEqual([[], 'filler 1833']);
        const second = await page(first.end);
        expect(second.pets.map(({ name }) => name).slice(0, 3)).toEqual(['Late 1000', 'Late 1000', 'Late 1001']);
        const last = await page(undefined, 'desc');
        expect([last.pets.length, last.pets[0]?.name]).toEqual([21, 'Zoe 1000']);
      });
    });

    test('are only those of one store', async () => {
      expect(await names({}, {}, 4n)).toEqual([]);
      expect(await names({ name: 're' }, {}, 4n)).toEqual([]);
      expect(await names({ ids: (await list({})).map(({ id }) => id) }, {}, 4n)).toEqual([]);
    });
  });
};

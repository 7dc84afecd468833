import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { SYSTEM_CALL } from '../src/kernel/operation.ts';
import type { NewPet } from '../src/resources/pets/pets.repository.ts';
import { openTestDatabase, readRows, type TestDatabase } from './database.ts';
import { importPets } from './import-pets.ts';

let opened: TestDatabase;
beforeEach(async () => {
  opened = openTestDatabase();
  await opened.database.write(SYSTEM_CALL, ({ stores }) => stores.open(1n));
});
afterEach(() => opened.close());

let takesMs = 1;
const importAll = (source: Iterable<NewPet> | AsyncIterable<NewPet>) => {
  let now = 0;
  const sizes: number[] = [];
  const imported = importPets(
    {
      write: (body) => {
        sizes.push(0);
        return opened.database.write(SYSTEM_CALL, body);
      },
      elapsed: () => {
        now += takesMs;
        return now;
      },
    },
    source,
  );
  return imported.then((result) => ({ ...result, transactions: sizes.length }));
};

const pets = (count: number): NewPet[] =>
  Array.from({ length: count }, (_, index) => ({
    name: `Animal ${index}`,
    categoryId: BigInt(1000 + (index % 7)),
    status: (['available', 'pending', 'sold'] as const)[index % 3] ?? 'available',
  }));

describe('importPets', () => {
  test('adds pets in order, with categories, events and inventory', async () => {
    takesMs = 1;
    expect(await importAll(pets(300))).toMatchObject({ added: 300 });
    const { pets: repository, categories } = opened.database.read(1n);
    expect(await repository.inventory()).toEqual({ available: 100n, pending: 100n, sold: 100n });
    expect((await repository.list({}, { limit: 3, order: 'asc' })).map(({ name }) => name)).toEqual([
      'Animal 0',
      'Animal 1',
      'Animal 2',
    ]);
    expect(await categories.find(1006n)).toEqual({ id: 1006n, name: null });
    const events = await readRows(opened.path, 'SELECT sequence, type, pet_id, data FROM events ORDER BY sequence');
    expect(events.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 300 }, (_, index) => index + 1));
    expect(events[299]).toMatchObject({ type: 'pet.created', pet_id: 300 });
    expect(JSON.parse(events[299].data).object).toMatchObject({ id: 300, name: 'Animal 299' });
  });

  test('accepts any iterable, even an empty one', async () => {
    takesMs = 1;
    const stream = async function* () {
      yield* pets(3);
    };
    expect((await importAll(stream())).added).toBe(3);
    expect((await importAll([])).added).toBe(0);
  });

  test('makes transactions smaller when they are slow, and larger when they are fast', async () => {
    takesMs = 1;
    const quick = await importAll(pets(2000));
    takesMs = 100;
    const slow = await importAll(pets(2000));
    expect(slow.transactions).toBe(2000 / 50);
    expect(quick.transactions).toBeLessThan(10);
    expect(slow.longestMs).toBe(100);
  });

  test('keeps the pets added before a failure', async () => {
    takesMs = 100;
    const failing = function* () {
      yield* pets(120);
      throw new Error('the file ends here');
    };
    await expect(importAll(failing())).rejects.toThrow('the file ends here');
    const kept = await opened.database.read(1n).pets.inventory();
    expect((kept.available + kept.pending + kept.sold) % 100n).toBe(0n);
    expect(kept.available).toBeGreaterThan(0n);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import type { Petstore } from '../src/index.ts';
import { startPetstore } from './client.ts';

const COUNT = 45;
let it: Awaited<ReturnType<typeof startPetstore>>;
let petstore: Petstore;
let ids: number[];
beforeAll(async () => {
  it = await startPetstore();
  petstore = it.create();
  const names = Array.from({ length: COUNT }, (_, at) => `Pet ${at}`);
  const pets = await Promise.all(names.map((name) => petstore.pets.create({ name, categoryId: 5 })));
  ids = pets.map(({ id }) => id).sort((a, b) => a - b);
});
beforeEach(() => it.reset());
afterAll(() => it.stop());

describe('a list', () => {
  test('iterates over all rows of all pages', async () => {
    const seen: number[] = [];
    for await (const pet of petstore.pets.list({ limit: 10 })) seen.push(pet.id);
    expect(seen).toEqual(ids);
    expect(it.proxy.seen).toHaveLength(5);
  });

  test('fetches the largest pages, unless limit is set', async () => {
    expect(await petstore.pets.list().toArray()).toHaveLength(COUNT);
    expect(it.proxy.seen.map(({ path }) => path)).toEqual(['/v1/pets?limit=100']);
  });

  test('sends no request before the iteration, and none after it ends', async () => {
    const list = petstore.pets.list({ limit: 10 });
    expect(it.proxy.seen).toHaveLength(0);
    for await (const pet of list) if (pet.id === ids[14]) break;
    expect(it.proxy.seen).toHaveLength(2);
  });

  test('returns its first rows', async () => {
    expect((await petstore.pets.list({ limit: 10 }).toArray({ max: 12 })).map(({ id }) => id)).toEqual(
      ids.slice(0, 12),
    );
    expect(await petstore.pets.list().toArray({ max: 0 })).toEqual([]);
  });

  test('keeps its filters and its order over all pages', async () => {
    const some = ids.slice(3, 30);
    const pets = await petstore.pets.list({ ids: some, order: 'desc', status: 'available', limit: 4 }).toArray();
    expect(pets.map(({ id }) => id)).toEqual(some.toReversed());
  });

  test('without rows is empty', async () => {
    expect(await petstore.pets.list({ status: 'sold' }).toArray()).toEqual([]);
  });

  test('neither loses nor repeats a row when responses are lost', async () => {
    it.proxy.faults.push(undefined, 'lose the answer', undefined, { status: 502 }, 'lose the request');
    const seen = await petstore.pets.list({ limit: 10 }).toArray();
    expect(seen.map(({ id }) => id)).toEqual(ids);
  });
});

describe('a page', () => {
  test('has the rows, the next page, and a cursor to resume from later', async () => {
    const first = await petstore.pets.list({ limit: 20 }).page();
    expect(first.items.map(({ id }) => id)).toEqual(ids.slice(0, 20));
    expect(first.hasNext).toBe(true);
    const second = await first.next();
    expect(second?.items.map(({ id }) => id)).toEqual(ids.slice(20, 40));
    const again = await petstore.pets.list({ limit: 20, cursor: first.cursor }).page();
    expect(again.items).toEqual(second?.items as never);
    const last = await second?.next();
    expect(last).toMatchObject({ hasNext: false, cursor: undefined });
    expect(last?.items).toHaveLength(5);
    expect(await last?.next()).toBeUndefined();
  });

  test('of one pet has the version of that pet', async () => {
    const { response } = await petstore.pets.list({ ids: [ids[0] as number] }).page();
    expect(response.etag).toBe('"1"');
  });
});

describe('integers beyond 2^53', () => {
  const categoryId = 9_223_372_036_854_775_807n;

  test('are returned exactly, as bigint, next to ids that stay numbers', async () => {
    const pet = await petstore.pets.create({ name: 'Far', categoryId });
    expect([pet.categoryId, typeof pet.id]).toEqual([categoryId, 'number']);
    expect(await petstore.pets.list({ categoryId }).toArray()).toEqual([pet]);
    expect(await petstore.categories.get(categoryId)).toMatchObject({ id: categoryId });
    const history = await petstore.pets.history(pet.id).toArray();
    expect(history.flatMap(({ changes }) => changes).map(({ to }) => to)).toContain(categoryId);
    await petstore.pets.delete(pet.id);
  });

  test('can be the id of a store', async () => {
    const key = await petstore.keys.create({ name: 'Far', plan: 'free', storeId: categoryId });
    const [entry] = await petstore.audit.list({ order: 'desc' }).toArray({ max: 1 });
    expect([key.storeId, entry?.data]).toMatchObject([categoryId, { object: { storeId: categoryId } }]);
    expect((await petstore.keys.list().toArray()).map(({ storeId }) => storeId)).toContain(categoryId);
    await petstore.keys.revoke(key.id);
  });

  test('stored by one caller do not break the loops of another', async () => {
    const [last] = await petstore.events.list({ order: 'desc' }).toArray({ max: 1 });
    const { id } = (await it.service.post('/v1/pets', `{"name":"Far","categoryId":${categoryId}}`)).body;
    await petstore.pets.create({ name: 'Near', categoryId: 1 });
    const names: string[] = [];
    for await (const pet of petstore.pets.list()) names.push(pet.name);
    expect(names).toContain('Far');
    const seen: unknown[] = [];
    for await (const { data } of petstore.events.stream({ after: last?.sequence, types: ['pet.created'] })) {
      seen.push(data.object.categoryId);
      if (seen.length === 2) break;
    }
    expect(seen).toEqual([categoryId, 1]);
    await petstore.pets.delete(id);
  });

  test('are refused as a number, which may already have been rounded', async () => {
    await expect(petstore.pets.list({ categoryId: 2 ** 60 }).page()).rejects.toThrow('pass a bigint');
    expect(it.proxy.seen).toEqual([]);
  });
});

import { expect } from 'bun:test';
import { categoriesOf, readSnapshot } from './snapshot.ts';
import type { StoreModel } from './store-model.ts';

const listAll = async (origin: string, key: string, path: string): Promise<any[]> => {
  const all: any[] = [];
  for (let next: string | undefined = `${origin}${path}?limit=100`; next; ) {
    const answer: Response = await fetch(next, { headers: { Authorization: `Bearer ${key}` } });
    expect(answer.status).toBe(200);
    all.push(...((await answer.json()) as any[]));
    next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
  }
  return all;
};

/**
 * Uses the HTTP API to compare the store with the model. No other request may change the store during the comparison.
 */
export const expectApi = async (
  model: StoreModel,
  { origin, key, path }: Record<'origin' | 'key' | 'path', string>,
) => {
  const list = (of: string) => listAll(origin, key, of);
  const pets = [...model.pets.values()].sort((a, b) => a.id - b.id);
  expect(await list('/v1/pets')).toEqual(
    pets.map(({ id, name, categoryId, status }) => ({ id, name, categoryId, status })),
  );
  expect(await list('/v1/categories')).toEqual(categoriesOf(model));
  const orders = await list('/v1/store/orders');
  expect(orders.map(({ id, petId, status }) => [id, petId, status])).toEqual(
    [...model.orders.values()].sort((a, b) => a.id - b.id).map(({ id, petId, status }) => [id, petId, status]),
  );
  const { events } = await readSnapshot(path, 0);
  for (const { id } of pets.slice(-5)) {
    const history = await list(`/v1/pets/${id}/history`);
    expect(history.map(({ sequence }) => sequence)).toEqual(
      events.filter(({ petId, type }) => petId === id && type.startsWith('pet.')).map(({ sequence }) => sequence),
    );
  }
};

import { expect, test } from 'bun:test';
import type { Pet, Petstore } from '../../../client/src/index.ts';
import { MAX_SELECTED, readMatching } from './read-matching.ts';

const listOf = (count: number): { petstore: Petstore; asked: () => number } => {
  let asked = 0;
  const pageAt = (start: number): unknown => {
    asked += 1;
    const items = Array.from({ length: Math.min(100, count - start) }, (_, at) => ({ id: start + at }) as Pet);
    return { items, next: async () => (start + 100 < count ? pageAt(start + 100) : undefined) };
  };
  return {
    petstore: { pets: { list: () => ({ page: async () => pageAt(0) }) } } as unknown as Petstore,
    asked: () => asked,
  };
};

const signal = new AbortController().signal;

test('reads every matching pet, and reports the progress', async () => {
  const seen: number[] = [];
  const pets = await readMatching(listOf(250).petstore, {}, { signal, onRead: (count) => seen.push(count) });
  expect([pets.length, new Set(pets.map(({ id }) => id)).size, seen]).toEqual([250, 250, [100, 200, 250]]);
});

test('stops at the maximum, and requests no further page', async () => {
  const { petstore, asked } = listOf(MAX_SELECTED + 500);
  const pets = await readMatching(petstore, {}, { signal, onRead: () => undefined });
  expect([pets.length, asked()]).toEqual([MAX_SELECTED, MAX_SELECTED / 100]);
});

import { expect, test } from 'bun:test';
import type { Pet } from '../../client/src/index.ts';
import { keepMoved, movedPets, moves } from './moved-pets.ts';

const pet = (id: number, categoryId: number) => ({ id, categoryId, name: 'Rex' }) as Pet;

test('counts moved pets in their new categories until each change ends', () => {
  const counts = () => [1, 2, 3].map((id) => movedPets(moves.get(), id));
  const endFirst = keepMoved([pet(1, 1), pet(2, 1), pet(3, 2)], 2);
  expect(counts()).toEqual([-2, 2, 0]);
  const endSecond = keepMoved([pet(4, 2)], 3n);
  expect(counts()).toEqual([-2, 1, 1]);
  endFirst();
  expect(counts()).toEqual([0, -1, 1]);
  endSecond();
  expect(counts()).toEqual([0, 0, 0]);
});

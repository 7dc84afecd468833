import type { Int64, Pet } from '../../client/src/index.ts';
import { createValue } from '../data/value.ts';

type Moves = ReadonlyMap<string, number>;

/** Pets to add to the count of each category, for changes that have not reached the service yet. */
export const moves = createValue<readonly Moves[]>([]);

export const movedPets = (all: readonly Moves[], id: Int64): number =>
  all.reduce((sum, one) => sum + (one.get(String(id)) ?? 0), 0);

/** Counts the pets in their new category, until the returned function is called. */
export const keepMoved = (pets: readonly Pet[], to: Int64): (() => void) => {
  const change = new Map<string, number>();
  const add = (id: Int64, count: number) => change.set(String(id), (change.get(String(id)) ?? 0) + count);
  for (const { categoryId } of pets) {
    add(categoryId, -1);
    add(to, 1);
  }
  moves.set([...moves.get(), change]);
  return () => moves.set(moves.get().filter((one) => one !== change));
};

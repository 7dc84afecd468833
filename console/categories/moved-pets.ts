import type { Int64, Pet } from '../../client/src/index.ts';
import { createValue } from '../data/value.ts';

type Moves = ReadonlyMap<string, number>;

/**
 * One map for each change that has not reached the service yet. For each category id, the map contains the number of
 * pets that the change adds. The number is negative if the change removes pets.
 */
export const moves = createValue<readonly Moves[]>([]);

export const movedPets = (all: readonly Moves[], id: Int64): number =>
  all.reduce((sum, one) => sum + (one.get(String(id)) ?? 0), 0);

/** Counts `pets` in category `to` instead of in their own categories, until the returned function is called. */
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

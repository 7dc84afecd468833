import { expect, test } from 'bun:test';
import { createCounts } from './counts.ts';

test('counts are kept by name and in total', () => {
  const counts = createCounts<string>();
  for (const name of ['a', 'b', 'a']) counts.add(name, 1);
  expect([counts.of('a'), counts.of('b'), counts.of('c'), counts.total()]).toEqual([2, 1, 0, 3]);
  counts.add('b', -1);
  expect([counts.of('b'), counts.total()]).toEqual([0, 2]);
});

import { expect, test } from 'bun:test';
import { showRelative } from './relative-time.ts';

test.each([
  [0, 'now'],
  [-999, 'now'],
  [-2000, '2 s ago'],
  [-61_000, '1 min ago'],
  [2000, 'now'],
  [59_999, 'now'],
  [60_000, 'in 1 min'],
  [86_400_000, 'in 1 day'],
])('a time %d ms from now is shown as "%s"', (ms, shown) => {
  expect(showRelative(ms)).toBe(shown);
});

import { expect, test } from 'bun:test';
import { spellTimePosition, timePosition } from './time-position.ts';

test('a position in time comes back as it was spelled, its id with it', () => {
  const position = { createdAt: 1_800_000_000_000, id: 'key_0a' };
  expect(spellTimePosition(position)).toBe('1800000000000.key_0a');
  expect(timePosition.parse('1800000000000.key_0a')).toEqual(position);
});

test.each(['', '1', '.a', '1.', 'a.b', '1.a.b', '1.a b', `1.${'a'.repeat(65)}`, `${'1'.repeat(17)}.a`])(
  'what is no position in time is refused: %j',
  (text) => {
    expect(timePosition.safeParse(text).success).toBeFalse();
  },
);

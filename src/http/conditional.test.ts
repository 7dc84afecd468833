import { describe, expect, test } from 'bun:test';
import { etag, isUnchanged } from './conditional.ts';

describe('the entity tag', () => {
  test('is the version in quotes, strong', () => {
    expect(etag(7n)).toBe('"7"');
    expect(etag(9223372036854775807n)).toBe('"9223372036854775807"');
  });
});

describe('If-None-Match', () => {
  test.each(['"7"', 'W/"7"', '*', '"1", "7"', '"1","7"', ' "7" ', 'W/"1", W/"7"', '"1", *'])('holds: %s', (header) => {
    expect(isUnchanged(header, '"7"')).toBeTrue();
  });

  test.each([null, '', '"8"', '7', '"77"', '"7', 'w/"7"', '""', ',', '"1", "2"', 'W/7', '**'])(
    'does not hold: %p',
    (header) => {
      expect(isUnchanged(header, '"7"')).toBeFalse();
    },
  );
});

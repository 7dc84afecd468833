import { describe, expect, test } from 'bun:test';
import { guessableFault } from './secret.ts';

describe('a secret is guessable', () => {
  test.each(['xxxxxxxxxxxxxxxxxxxx', '!~'.repeat(100), 'passpasspasspassword', '123456789987654321123'])(
    'if it has fewer than ten different characters: %s',
    (secret) => {
      expect(guessableFault(secret)).toBe('has fewer than 10 different characters');
    },
  );

  test.each([
    'abcdefghijabcdefghij',
    '0123456789'.repeat(20),
    'correct-battery-staple-correct-battery-staple',
    '1234567890123456789012345',
  ])('if it repeats one pattern: %s', (secret) => {
    expect(guessableFault(secret)).toBe('repeats one pattern');
  });

  test.each([
    'abcdefghij-then-others',
    'abcdefghijklmabcdefghij',
    'abcdefghijklabcdefghij',
    'an-admin-key-for-the-tests',
    'ps_live_zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17',
  ])('but not otherwise: %s', (secret) => {
    expect(guessableFault(secret)).toBeUndefined();
  });
});

import { describe, expect, test } from 'bun:test';
import { readCommit } from '../build/commit.ts';

describe('the commit that a file names', () => {
  test('is the one of the clone', () => {
    expect(readCommit({ PATH: process.env.PATH })).toMatch(/^([0-9a-f]{12}(-changed)?|unknown)$/);
  });

  test('is the one that is given, where there is no clone', () => {
    expect(readCommit({ PATH: '', PETSTORE_COMMIT: 'abc123' })).toBe('abc123');
  });

  test('is unknown where none is given and git is not installed, as in the image', () => {
    expect(readCommit({ PATH: '', PETSTORE_COMMIT: '' })).toBe('unknown');
  });
});

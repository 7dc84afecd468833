import { describe, expect, test } from 'bun:test';
import { readCommit } from '../build/commit.ts';

describe('the commit named in a build', () => {
  test('is the commit of the clone', () => {
    expect(readCommit({ PATH: process.env.PATH })).toMatch(/^([0-9a-f]{12}(-changed)?|unknown)$/);
  });

  test('is PETSTORE_COMMIT where there is no clone', () => {
    expect(readCommit({ PATH: '', PETSTORE_COMMIT: 'abc123' })).toBe('abc123');
  });

  test('is unknown without PETSTORE_COMMIT and git, as in the image', () => {
    expect(readCommit({ PATH: '', PETSTORE_COMMIT: '' })).toBe('unknown');
  });
});

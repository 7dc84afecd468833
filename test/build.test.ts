import { describe, expect, test } from 'bun:test';
import { readCommit } from '../build/commit.ts';
import { SIZE_DOCUMENT, withSize } from '../build/document-size.ts';

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

describe('the documented size of the file', () => {
  test('is the one that the build measured, in whole megabytes', async () => {
    const text = await Bun.file(SIZE_DOCUMENT).text();
    expect(withSize(text, 98_765_432)).toContain('in one file of 99 MB');
    expect(withSize(withSize(text, 98_765_432), 117_000_000)).toBe(withSize(text, 117_000_000));
    expect(() => withSize('no figure', 1)).toThrow('does not state the size');
  });
});

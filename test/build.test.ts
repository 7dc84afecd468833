import { describe, expect, test } from 'bun:test';
import { billOfMaterials } from '../build/bill-of-materials.ts';
import { readCommit } from '../build/commit.ts';
import { SIZE_DOCUMENT, withSize } from '../build/document-size.ts';
import { NO_LIBRARIES, runtimeParts } from '../build/runtime-parts.ts';

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

describe('the bill of materials', () => {
  const { components } = billOfMaterials(['node_modules/zod/index.js', 'src/main.ts'], 'linux-x64', 'abc123');
  const [runtime, ...packages] = components;

  test('lists the runtime, then the bundled packages', () => {
    expect(runtime?.name).toBe('@oven/bun-linux-x64');
    expect(packages.map(({ name }) => name)).toEqual(['zod']);
  });

  test('lists every library of the runtime with its licence', () => {
    const parts = (runtime as { components: { name: string; licenses: unknown[] }[] }).components;
    const reported = Object.keys(process.versions).filter((name) => !NO_LIBRARIES.includes(name));
    expect(reported.length).toBeGreaterThan(10);
    expect(parts.map(({ name }) => name)).toEqual(expect.arrayContaining([...reported, 'brotli']));
    expect(parts.filter(({ licenses }) => licenses.length !== 1)).toEqual([]);
  });

  test('cannot be made if the runtime has a library whose licence is not known', () => {
    expect(() => runtimeParts({ bun: '1.4.4', newlib: '1' })).toThrow('the licence of newlib');
  });
});

import { describe, expect, test } from 'bun:test';
import { billOfMaterials } from '../build/bill-of-materials.ts';
import { readCommit } from '../build/commit.ts';
import { lockedPackage } from '../build/lock.ts';
import { licenseIds, NO_LIBRARIES, runtimeParts } from '../build/runtime-parts.ts';
import { endingOf, TARGETS, type Target } from '../build/targets.ts';

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

describe('a target', () => {
  const targets = Object.entries(TARGETS);

  test('has its runtime in the lock file, with a digest and the same version as the current runtime', () => {
    const locked = targets.map(([, name]) => lockedPackage(`node_modules/${name}`));
    expect(targets.map(([target]) => target)).toEqual(expect.arrayContaining(['linux-x64', 'windows-x64']));
    expect(locked.filter(({ version, integrity }) => version !== Bun.version || !integrity)).toEqual([]);
  });

  test('has the ending .exe on Windows only', () => {
    const named = targets.filter(([target]) => endingOf(target as Target) === '.exe');
    expect(named.map(([target]) => target)).toEqual(['windows-x64', 'windows-arm64']);
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
    const parts = (runtime as { components: { name: string; licenses: unknown[]; copyright: string }[] }).components;
    const reported = Object.keys(process.versions).filter((name) => !NO_LIBRARIES.includes(name));
    expect(reported.length).toBeGreaterThan(10);
    expect(parts.map(({ name }) => name)).toEqual(expect.arrayContaining([...reported, 'brotli']));
    expect(parts.filter(({ licenses, copyright }) => licenses.length !== 1 || !copyright)).toEqual([]);
  });

  test('lists libuv only for Windows', () => {
    const namesOf = (target: Target) => {
      const [{ components: parts } = {}] = billOfMaterials([], target, 'abc123').components as {
        components?: { name: string }[];
      }[];
      return parts?.map(({ name }) => name);
    };
    expect(namesOf('windows-x64')).toContain('libuv');
    expect(namesOf('linux-x64')).not.toContain('libuv');
  });

  test('lists every licence that applies, and the first if there is a choice', () => {
    expect(licenseIds('BSD-3-Clause OR GPL-2.0-only')).toEqual(['BSD-3-Clause']);
    expect(licenseIds('IJG AND Apache-2.0 WITH LLVM-exception')).toEqual(['IJG', 'Apache-2.0']);
  });

  test('cannot be made if the runtime has a library whose licence is not known', () => {
    expect(() => runtimeParts({ bun: '1.4.4', newlib: '1' })).toThrow('the licence of newlib');
  });
});

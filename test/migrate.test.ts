import { afterAll, describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createWorkbench, PROGRAM } from './program.ts';

const bench = createWorkbench();
afterAll(bench.clear);

const migrate = (directory: string, ...args: string[]) =>
  bench.start({ directory, command: [...PROGRAM, 'migrate', ...args] }).ended();

describe('petstore migrate', () => {
  test('makes the database that a start would make, says so, and then has nothing to change', async () => {
    const directory = bench.directory();
    const file = join(directory, 'data', 'petstore.db');
    const planned = await migrate(directory, '--dry-run');
    expect(planned).toEqual({
      exitCode: 0,
      out: 'data/petstore.db has schema 0. A start would bring it to:\n  schema 1: The first schema.\n',
      err: '',
    });
    expect(existsSync(file)).toBeFalse();

    expect((await migrate(directory)).out).toContain('It was brought to:\n  schema 1');
    expect(existsSync(file)).toBeTrue();
    for (const args of [[], ['--dry-run']]) {
      const { exitCode, out } = await migrate(directory, ...args);
      expect({ exitCode, out }).toEqual({
        exitCode: 0,
        out: 'data/petstore.db has schema 1: there is nothing to change.\n',
      });
    }
  });

  test('refuses what a start refuses', async () => {
    const directory = bench.directory();
    await migrate(directory);
    const { exitCode, err } = await migrate(directory, '--environment', 'development');
    expect({ exitCode, err }).toEqual({ exitCode: 2, err: expect.stringContaining('must be production or staging') });
  });
});

import { expect, test } from 'bun:test';
import { dirname, join } from 'node:path';
import { readSources } from '../check/sources.ts';
import { ROOT } from './documents.ts';

/**
 * These modules load Bun's streams and add 10 to 15 ms to the startup time, so they must be imported only on demand.
 */
const SLOW = /^(node:)?(crypto|zlib|net|tls|tty|http|https|stream|dns|dns\/promises|fs\/promises|child_process)$/;

const transpiler = new Bun.Transpiler({ loader: 'ts' });

const importsOf = async (path: string): Promise<string[]> =>
  transpiler
    .scanImports((await Bun.file(path).text()).replace(/^#!.*/, ''))
    .filter(({ kind }) => kind === 'import-statement')
    .map(({ path: imported }) => imported);

test('a start on SQLite loads no slow runtime module, no other database driver and no command line', async () => {
  const waiting = ['src/main.ts', 'src/compose/backend.sqlite.ts'].map((path) => join(ROOT, path));
  const loaded = new Set<string>();
  const found: string[] = [];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (loaded.has(path) || !path.endsWith('.ts')) continue;
    loaded.add(path);
    for (const imported of await importsOf(path)) {
      if (imported.startsWith('.')) waiting.push(join(dirname(path), imported));
      else if (SLOW.test(imported) || ['pg', 'ioredis'].includes(imported)) found.push(`${path}: ${imported}`);
    }
  }
  expect(found).toEqual([]);
  expect([...loaded].filter((path) => /postgres|\.redis\.ts|run-command|openapi/.test(path))).toEqual([]);
  expect(loaded.size).toBeGreaterThan(100);
});

test('no file imports a slow runtime module at its top, because the built program loads those imports at every start', () => {
  const found = [...readSources(['src', 'cli', 'client/src'], ['.ts'])]
    .filter(([path]) => !/\.(test|suite)\.ts$/.test(path))
    .flatMap(([path, source]) =>
      transpiler
        .scanImports(source.replace(/^#!.*/, ''))
        .filter(({ kind, path: imported }) => kind === 'import-statement' && SLOW.test(imported))
        .map(({ path: imported }) => `${path}: ${imported}`),
    );
  expect(found).toEqual([]);
});

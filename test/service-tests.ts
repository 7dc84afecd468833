import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { ROOT } from '../check/root.ts';
import { readSources } from '../check/sources.ts';

const FOLDERS = ['src', 'cli', 'generate', 'client/src', 'client/test', 'console', 'test', 'check', 'bench', 'prove'];

const readTestSources = () => readSources(FOLDERS, ['.ts']);

export const findTests = (): string[] => [...readTestSources().keys()].filter((path) => path.endsWith('.test.ts'));

const transpiler = new Bun.Transpiler({ loader: 'ts' });
const imports = new Map<string, string[]>();

const importsOf = (path: string, text: string): string[] => {
  const known = imports.get(path);
  if (known) return known;
  const specifiers = transpiler.scanImports(text).map((found) => found.path);
  const found = specifiers
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => posix.join(posix.dirname(path), specifier));
  imports.set(path, found);
  return found;
};

export const findTestsOf = (file: string): string[] => {
  const sources = readTestSources();
  const known = new Map<string, boolean>([[file, true]]);
  const reaches = (path: string): boolean => {
    const answer = known.get(path);
    if (answer !== undefined) return answer;
    known.set(path, false);
    const reached = importsOf(path, sources.get(path) ?? '').some(reaches);
    known.set(path, reached);
    return reached;
  };
  return [...sources.keys()].filter((path) => path.endsWith('.test.ts') && reaches(path));
};

const ON_ONE_ENGINE = [
  'client/',
  'cli/',
  'generate/',
  'src/http/',
  'test/browser/',
  'test/command-line',
  'test/one-store',
];

export const findServiceTests = (): string[] =>
  findTestsOf('test/service.ts').filter(
    (path) => !path.endsWith('.sqlite.test.ts') && !ON_ONE_ENGINE.some((place) => path.startsWith(place)),
  );

export const writePostgresTest = (directory: string, path: string): string => {
  const written = join(directory, path);
  const text = (of: string) => JSON.stringify(join(ROOT, of));
  mkdirSync(dirname(written), { recursive: true });
  writeFileSync(
    written,
    `import { testOnPostgres } from ${text('test/on-postgres.ts')};\nawait testOnPostgres(${text(path)});\n`,
  );
  return written;
};

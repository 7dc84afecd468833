import { posix } from 'node:path';
import { readSources } from '../check/sources.ts';

const SERVICE = 'test/service.ts';

/**
 * The test files that start a service, themselves or through what they import; they hold on every engine. One whose
 * promise is SQLite's own is named `….sqlite.test.ts`; what a browser shows of the pages does not depend on the engine.
 */
export const findServiceTests = (): string[] => {
  const sources = readSources(['src', 'test', 'check'], ['.ts']);
  const transpiler = new Bun.Transpiler({ loader: 'ts' });
  const known = new Map<string, boolean>([[SERVICE, true]]);
  const reaches = (path: string): boolean => {
    const answer = known.get(path);
    if (answer !== undefined) return answer;
    known.set(path, false);
    const imports = transpiler.scanImports(sources.get(path) ?? '').map((found) => found.path);
    const reached = imports
      .filter((specifier) => specifier.startsWith('.'))
      .some((specifier) => reaches(posix.join(posix.dirname(path), specifier)));
    known.set(path, reached);
    return reached;
  };
  return [...sources.keys()].filter(
    (path) =>
      path.endsWith('.test.ts') &&
      !path.endsWith('.sqlite.test.ts') &&
      !path.startsWith('test/browser/') &&
      reaches(path),
  );
};

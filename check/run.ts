import { join } from 'node:path';
import { findDirectionFaults } from './direction.ts';
import { printFigures } from './figures.ts';
import { findSchemaChanges } from './frozen-schema.ts';
import { findStale } from './generated.ts';
import { findDocumentFaults } from './lint-document.ts';
import { lintProse, readProse } from './prose/prose.ts';
import { findReleaseBreaks } from './release.ts';
import { ROOT } from './root.ts';
import { findLongParts } from './sizes.ts';
import { readSources } from './sources.ts';

type Check = () => string[] | Promise<string[]>;

const tool =
  (name: string, ...options: string[]): Check =>
  async () => {
    const command = [join(ROOT, 'node_modules', '.bin', name), ...options];
    const running = Bun.spawn(command, { cwd: ROOT, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' });
    const said = await Promise.all([new Response(running.stdout).text(), new Response(running.stderr).text()]);
    const exitCode = await running.exited;
    return exitCode === 0 ? [] : [said.join('').trim() || `${name} ended with exit code ${exitCode}`];
  };

let proseFigures = '';
const findProseFaults: Check = async () => {
  const { faults, figures } = await lintProse(readProse());
  proseFigures = figures;
  return faults;
};

const CHECKS: Record<string, Check> = {
  'format and lint': tool('biome', 'check', '--error-on-warnings', '--max-diagnostics=50', '.'),
  'browser types': tool('tsc', '-p', 'generate/reference/browser'),
  'console types': tool('tsc', '-p', 'console'),
  types: tool('tsc', '-p', '.'),
  'import direction': () =>
    findDirectionFaults(readSources(['src', 'cli', 'generate', 'client/src', 'console'], ['.ts', '.tsx'])),
  'unused code': tool('knip', '--no-progress', '--treat-config-hints-as-errors'),
  // This run of knip ignores tests, so it reports code that only tests use. Exports marked `@internal` are exempt.
  'used by tests only': tool('knip', '--no-progress', '--production', '--files', '--exports'),
  'generated files': findStale,
  'OpenAPI lint': findDocumentFaults,
  'last release': findReleaseBreaks,
  'released schema': findSchemaChanges,
  sizes: findLongParts,
  prose: findProseFaults,
};

let failed = 0;
for (const [name, check] of Object.entries(CHECKS)) {
  const startedAt = performance.now();
  const problems = await check();
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`${problems.length === 0 ? 'ok    ' : 'FAILED'}  ${name.padEnd(18)}${seconds.padStart(6)} s`);
  for (const problem of problems) console.log(problem.replaceAll(/^/gm, '        '));
  if (problems.length > 0) failed++;
}
if (!(await printFigures())) failed++;
console.log(`prose   ${proseFigures}`);
process.exitCode = failed > 0 ? 1 : 0;

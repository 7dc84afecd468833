import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countResults, showCounts } from './count-results.ts';
import { NEEDS } from './needs.ts';

const ROOT = join(import.meta.dir, '..');
/** For slow machines. A test that needs more says so itself. */
const TIMEOUT_MS = 20_000;

const inCi = process.env.CI === 'true';

/** Runs a command with all it says on our standard output, in order: the count must come last there. */
const run = async (command: string[]): Promise<number> =>
  Bun.spawn(command, { cwd: ROOT, stdin: 'ignore', stdout: 'inherit', stderr: 1 }).exited;

const runTests = async (filters: readonly string[]) => {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-report-'));
  const report = join(directory, 'report.xml');
  try {
    const reporting = ['--reporter=junit', `--reporter-outfile=${report}`, `--timeout=${TIMEOUT_MS}`];
    const exitCode = await run([process.execPath, 'test', ...reporting, ...filters]);
    return countResults(existsSync(report) ? readFileSync(report, 'utf8') : undefined, exitCode);
  } finally {
    rmSync(directory, { recursive: true });
  }
};

const missing = () => NEEDS.filter(({ isHere }) => !isHere());

if (inCi && missing().length > 0) await run(['bash', 'test/install-services.sh']);

const counts = await runTests(process.argv.slice(2));

console.log();
if (counts.skipped > 0) {
  for (const { name, tests } of missing()) {
    console.log(`The tests of ${tests} were skipped: there is no ${name} here. To get it: npm run services:install`);
  }
}
if (inCi && counts.skipped > 0) console.log('In CI a skipped test is a failure.');
console.log(showCounts(counts));
process.exitCode = counts.failed > 0 || (inCi && counts.skipped > 0) ? 1 : 0;

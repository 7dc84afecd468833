import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addCounts, type Counts, countResults, showCounts } from './count-results.ts';
import { NEEDS } from './needs.ts';
import { startServersOfRun } from './servers/of-run.ts';
import { findServiceTests } from './service-tests.ts';

const ROOT = join(import.meta.dir, '..');
/** For slow machines. A test that needs more says so itself. */
const TIMEOUT_MS = 20_000;
const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const;

const inCi = process.env.CI === 'true';

let running: Bun.Subprocess | undefined;
let interrupted: keyof typeof SIGNALS | undefined;
for (const signal of Object.keys(SIGNALS) as (keyof typeof SIGNALS)[]) {
  process.on(signal, () => {
    interrupted = signal;
    running?.kill(signal);
  });
}

/** Runs a command with all it says on our standard output, in order: the count must come last there. */
const run = async (command: string[], environment: Record<string, string> = {}): Promise<number> => {
  const env = { ...process.env, ...environment };
  running = Bun.spawn(command, { cwd: ROOT, env, stdin: 'ignore', stdout: 'inherit', stderr: 1 });
  return running.exited;
};

const runTests = async (words: readonly string[], environment: Record<string, string>): Promise<Counts> => {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-report-'));
  const report = join(directory, 'report.xml');
  try {
    const reporting = ['--reporter=junit', `--reporter-outfile=${report}`, `--timeout=${TIMEOUT_MS}`];
    const exitCode = await run([process.execPath, 'test', ...reporting, ...words], environment);
    return countResults(existsSync(report) ? readFileSync(report, 'utf8') : undefined, exitCode);
  } finally {
    rmSync(directory, { recursive: true });
  }
};

/** The tests that speak to a service, once more with the service on PostgreSQL. */
const runOnPostgres = async (words: readonly string[], environment: Record<string, string>): Promise<Counts> => {
  const options = words.filter((word) => word.startsWith('-'));
  const filters = words.filter((word) => !word.startsWith('-'));
  const files = findServiceTests().filter(
    (path) => filters.length === 0 || filters.some((filter) => path.includes(filter)),
  );
  if (files.length === 0) return { passed: 0, failed: 0, skipped: 0 };
  console.log('\nThe same on PostgreSQL:\n');
  const paths = files.map((path) => `./${path}`);
  return runTests([...options, ...paths], { ...environment, TEST_ENGINE: 'postgres' });
};

const missing = () => NEEDS.filter(({ isHere }) => !isHere());

const runAll = async (words: readonly string[]): Promise<Counts> => {
  const ends: (() => Promise<void>)[] = [];
  try {
    const environment = await startServersOfRun(ends);
    let counts: Counts = { passed: 0, failed: 0, skipped: 0 };
    if (!interrupted) counts = await runTests(words, environment);
    const hasEngine = existsSync(join(ROOT, 'src', 'database', 'postgres.ts'));
    const hasServer = (environment.TEST_DATABASE_URL ?? process.env.TEST_DATABASE_URL) !== undefined;
    if (hasEngine && hasServer && !interrupted) counts = addCounts(counts, await runOnPostgres(words, environment));
    return counts;
  } finally {
    for (const end of ends) await end();
  }
};

if (inCi && missing().length > 0) await run(['bash', 'test/install-services.sh']);

const counts = await runAll(process.argv.slice(2));

console.log();
if (counts.skipped > 0) {
  for (const { name, tests } of missing()) {
    console.log(`The tests of ${tests} were skipped: there is no ${name} here. To get it: npm run services:install`);
  }
}
if (inCi && counts.skipped > 0) console.log('In CI a skipped test is a failure.');
if (interrupted) console.log(`Interrupted by ${interrupted}: what follows is not the whole.`);
console.log(showCounts(counts));
process.exitCode = counts.failed > 0 || (inCi && counts.skipped > 0) ? 1 : 0;
if (interrupted) process.exitCode = SIGNALS[interrupted];

import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, join, relative, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { compile } from '../build/compile.ts';
import { ROOT } from '../check/root.ts';
import { startBusyLoops } from './busy-loops.ts';
import { readCitusNodes } from './citus-database.ts';
import { type Counts, countResults, showCounts, slowestFiles } from './count-results.ts';
import { collectErrors } from './failure-report.ts';
import { dropDatabases, endProcesses, findFiles } from './leftovers.ts';
import { NEEDS } from './needs.ts';
import { TEST_TIMEOUT_MS } from './patience.ts';
import { makeRunDirectory } from './run-directory.ts';
import { readRunOptions } from './run-options.ts';
import { startRunServers } from './servers/run-servers.ts';
import { findServiceTests, findTests, findTestsOf, writePostgresTest } from './service-tests.ts';

/**
 * There are two more workers than cores, because tests spend much of their time waiting. However, there are never more
 * than four workers, because the shared PostgreSQL server does not have enough connections for more.
 */
const WORKERS = Math.min(4, availableParallelism() + 2);
const SLOW = ['test/generated-clients/clients.ts', 'test/browser/visit.ts', 'build/client.ts', 'test/program.ts'];
const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const;

const inCi = process.env.CI === 'true';
const { busyLoops, options, filters } = readRunOptions(process.argv.slice(2));

const directory = makeRunDirectory();
const place = (name: string): string => {
  const path = join(directory, name);
  mkdirSync(path);
  // If root starts the run, the servers run as another user, who must be able to enter this directory.
  chmodSync(path, 0o711);
  return path;
};
const places = { tests: place('tests'), servers: place('servers'), onPostgres: place('on-postgres') };
const run = basename(directory)
  .replace(/[^a-z0-9]/gi, '')
  .toLowerCase();

let running: Bun.Subprocess | undefined;
let interrupted: keyof typeof SIGNALS | undefined;
for (const signal of Object.keys(SIGNALS) as (keyof typeof SIGNALS)[]) {
  process.on(signal, () => {
    interrupted = signal;
    // SIGTERM is not enough, because the test runner would first finish the tests that are running.
    running?.kill('SIGKILL');
  });
}

/** Sends all output to standard output, so that the lines stay in order and the number of tests comes last. */
const runCommand = async (command: string[], environment: Record<string, string> = {}): Promise<number> => {
  const env = { ...process.env, ...environment };
  running = Bun.spawn(command, { cwd: ROOT, env, stdin: 'ignore', stdout: 'inherit', stderr: 1 });
  return running.exited;
};

const runAndCollect = async (command: string[], environment: Record<string, string>) => {
  const { errors, read } = collectErrors();
  const merged = ['sh', '-c', 'exec "$@" 2>&1', 'sh', ...command];
  const env = { ...process.env, ...environment };
  const child = Bun.spawn(merged, { cwd: ROOT, env, stdin: 'ignore', stdout: 'pipe' });
  running = child;
  for await (const line of createInterface({ input: Readable.fromWeb(child.stdout as never) })) {
    console.log(line);
    read(line);
  }
  return { exitCode: await child.exited, errors };
};

const missing = () => NEEDS.filter(({ isInstalled }) => !isInstalled());

const isWanted = (path: string): boolean => filters.length === 0 || filters.some((filter) => path.includes(filter));

const citus = process.env.TEST_CITUS_URL;

/** On Citus, runs only the tests that use a service. The other tests do not use the cluster. */
const findFilesToRun = (hasPostgres: boolean): string[] => [
  ...(citus ? [] : findTests()).filter(isWanted).map((path) => `./${path}`),
  ...(hasPostgres ? findServiceTests().filter(isWanted) : []).map((path) => writePostgresTest(places.onPostgres, path)),
];

const makeProgram = async (): Promise<Record<string, string>> => {
  if (!findTestsOf('test/program.ts').some(isWanted)) return {};
  const outfile = join(directory, 'petstore');
  await compile({ outfile });
  return { TEST_PROGRAM: outfile };
};

const writeTimes = (files: readonly string[]): string => {
  const path = join(directory, 'times.json');
  const slow = SLOW.map((used) => new Set(findTestsOf(used)));
  const time = (file: string): number => {
    const from = resolve(ROOT, file).startsWith(places.onPostgres) ? places.onPostgres : ROOT;
    const rank = slow.findIndex((tests) => tests.has(relative(from, resolve(ROOT, file))));
    return 1000 * ((rank < 0 ? 0 : 2 * (slow.length - rank)) + (from === ROOT ? 1 : 2));
  };
  const times = files.map((file) => [relative(ROOT, resolve(ROOT, file)), time(file)]);
  writeFileSync(path, JSON.stringify({ version: 1, files: Object.fromEntries(times) }));
  return path;
};

const showFile = (path: string): string => {
  const onPostgres = relative(places.onPostgres, resolve(ROOT, path));
  return onPostgres.startsWith('..') ? path : `${onPostgres} on ${citus ? 'Citus' : 'PostgreSQL'}`;
};

const runTests = async (environment: Record<string, string>): Promise<Counts> => {
  const files = findFilesToRun(environment.TEST_DATABASE_URL !== undefined);
  const report = join(directory, 'report.xml');
  const reporting = ['--reporter=junit', `--reporter-outfile=${report}`];
  const sharing = [`--parallel=${WORKERS}`, '--no-isolate', `--timings=${writeTimes(files)}`];
  const words = [`--timeout=${TEST_TIMEOUT_MS}`, ...reporting, ...sharing, ...options, ...files];
  const { exitCode, errors } =
    files.length > 0
      ? await runAndCollect([process.execPath, 'test', ...words], environment)
      : { exitCode: 1, errors: [] };
  const results = existsSync(report) ? readFileSync(report, 'utf8') : undefined;
  console.log('\nThe slowest files:');
  for (const { file, seconds } of slowestFiles(results ?? '', 20)) {
    console.log(`${seconds.toFixed(1).padStart(6)} s  ${showFile(file)}`);
  }
  for (const error of errors) console.log(`\n${error}`);
  return countResults(results, exitCode);
};

const runAll = async (): Promise<Counts> => {
  const ends: (() => Promise<void>)[] = [];
  const leftovers: string[] = [];
  let counts: Counts = { passed: 0, failed: 0, skipped: 0 };
  try {
    ends.push(startBusyLoops(busyLoops));
    process.env.TMPDIR = places.servers;
    const [program, servers] = await Promise.all([makeProgram(), startRunServers(ends)]);
    const environment: Record<string, string> = {
      ...servers,
      ...program,
      TMPDIR: places.tests,
      TEST_RUN: run,
    };
    const server = environment.TEST_DATABASE_URL ?? process.env.TEST_DATABASE_URL;
    if (server) environment.TEST_DATABASE_URL = server;
    if (!interrupted) counts = await runTests(environment);
    leftovers.push(...(await endProcesses(places.tests, interrupted !== undefined)), ...findFiles(places.tests));
    for (const one of [...(server ? [server] : []), ...(citus ? await readCitusNodes(citus) : [])]) {
      leftovers.push(...(await dropDatabases(one, run)));
    }
  } finally {
    for (const end of ends) await end();
    rmSync(directory, { recursive: true });
  }
  if (interrupted) return counts;
  console.log(leftovers.length > 0 ? '\nLeftovers:' : '\nNo leftovers: no process, no database, no file.');
  for (const left of leftovers) console.log(`  ${left}`);
  return { ...counts, failed: counts.failed + leftovers.length };
};

if (inCi && missing().length > 0) await runCommand(['bash', 'test/install-services.sh']);

const counts = await runAll();

console.log();
if (counts.skipped > 0) {
  for (const { name, tests } of missing()) {
    console.log(`Skipped the tests of ${tests}: ${name} is not installed. Install it with npm run services:install`);
  }
}
if (inCi && counts.skipped > 0) console.log('In CI, a skipped test is a failure.');
if (interrupted) console.log(`Interrupted by ${interrupted}: the counts below are incomplete.`);
console.log(showCounts(counts));
process.exitCode = counts.failed > 0 || (inCi && counts.skipped > 0) ? 1 : 0;
if (interrupted) process.exitCode = SIGNALS[interrupted];

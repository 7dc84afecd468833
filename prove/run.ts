import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { measuredCommit } from '../build/commit.ts';
import { compile } from '../build/compile.ts';
import { addCounts, type Counts, countResults, showCounts } from '../test/count-results.ts';
import { NEEDS } from '../test/needs.ts';
import { startRunServers } from '../test/servers/run-servers.ts';
import { BUSY_SHARE, watchOthers } from './busyness.ts';
import { passOn } from './last-lines.ts';
import { isFailure, judge, type Result, showShare, worstOf } from './outcome.ts';
import { PROMISES } from './promises.ts';
import type { ProofReport } from './proof.ts';
import { createReliabilityPage, standingOf } from './reliability-page.ts';
import { keepResults, readResults } from './results.ts';
import { UNTIMED, WAITING } from './side-by-side.ts';

const ROOT = join(import.meta.dir, '..');
const TIMEOUT_MS = 15 * 60_000;
const LONG_TIMEOUT_MS = 4 * 3_600_000;
const SOONER_MS = 30_000;
const LAST_LINES = 25;
const TRIES = 3;
const CONCURRENCY = 2;
const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const;

const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    long: { type: 'boolean' },
    seed: { type: 'string' },
    minutes: { type: 'string' },
    plot: { type: 'string' },
  },
});
const isLong = options.long === true;
const inCi = process.env.CI === 'true';

const running = new Set<Bun.Subprocess>();
let interrupted: keyof typeof SIGNALS | undefined;
for (const signal of Object.keys(SIGNALS) as (keyof typeof SIGNALS)[]) {
  process.on(signal, () => {
    interrupted = signal;
    for (const child of running) child.kill(signal);
  });
}

const PAGE = 'docs/reliability.md';
const commit = measuredCommit('--short');
const machine = `${availableParallelism()} × ${cpus()[0]?.model.trim() ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GiB`;

const missing = (): string[] => NEEDS.filter(({ isInstalled }) => !isInstalled()).map(({ name }) => name);

const makeProgram = async (ends: (() => Promise<void>)[]): Promise<Record<string, string>> => {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-proofs-'));
  ends.push(async () => rmSync(directory, { recursive: true }));
  const outfile = join(directory, 'petstore');
  await compile({ outfile });
  return { TEST_PROGRAM: outfile };
};

const readReports = (file: string): ProofReport[] =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    : [];

type Done = { result: Result; counts: Counts; lastLines: string[] };

type Said = (chunk: Uint8Array | string) => void;

const runOnce = async (proof: string, made: Record<string, string>, say: Said): Promise<Done> => {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-proof-'));
  const [reports, junit] = [join(directory, 'reports'), join(directory, 'report.xml')];
  try {
    const timeoutMs = isLong ? LONG_TIMEOUT_MS : TIMEOUT_MS;
    const env = {
      ...process.env,
      ...made,
      PROVE_REPORT: reports,
      PROVE_LONG: String(isLong),
      PROVE_DEADLINE_MS: `${timeoutMs - SOONER_MS}`,
      ...(options.seed ? { PROVE_SEED: options.seed } : {}),
      ...(options.minutes ? { PROVE_MINUTES: options.minutes } : {}),
      ...(options.plot ? { PROVE_PLOT: options.plot } : {}),
    };
    const words = ['--reporter=junit', `--reporter-outfile=${junit}`, `--timeout=${timeoutMs}`];
    const command = [process.execPath, 'test', ...words, `./prove/${proof}.prove.ts`];
    const startedAt = performance.now();
    const othersSince = watchOthers();
    const child = Bun.spawn(command, { cwd: ROOT, env, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' });
    running.add(child);
    const lastLines = await passOn(child, say, LAST_LINES);
    const exitCode = await child.exited;
    running.delete(child);
    const others = othersSince();
    const seen = countResults(existsSync(junit) ? readFileSync(junit, 'utf8') : undefined, exitCode);
    const rows = readReports(reports).map((report) => judge(report, others));
    // If a server cannot start or the test runner crashes, no proof reports the failure, so this row does.
    if (seen.failed > 0 && !rows.some((row) => isFailure(row, inCi))) {
      rows.push({ sentence: 'its proofs run to the end', outcome: 'failed', figures: [`exit code ${exitCode}`] });
    }
    const failed = rows.filter((row) => isFailure(row, inCi)).length;
    const result: Result = {
      rows,
      skipped:
        seen.skipped > 0 ? `${seen.skipped} proofs; not installed: ${missing().join(', ') || 'what they need'}` : null,
      isLong,
      seconds: Math.round((performance.now() - startedAt) / 1000),
      others: others === undefined ? null : Math.round(others * 100) / 100,
      date: new Date().toISOString().slice(0, 10),
      commit,
      machine,
    };
    return { result, counts: { passed: rows.length - failed, failed, skipped: seen.skipped }, lastLines };
  } finally {
    rmSync(directory, { recursive: true });
  }
};

/**
 * Runs a proof again if it exceeds a time limit. The machine may be shared, so a time limit counts as exceeded only if
 * every run exceeds it.
 */
const run: typeof runOnce = async (proof, made, say) => {
  for (let left = TRIES - 1; ; left -= 1) {
    const done = await runOnce(proof, made, say);
    const isMissed = worstOf(done.result.rows) === 'missed';
    if (!isMissed || left === 0 || interrupted) return done;
    say(`\nA time exceeded its limit. Measuring again: prove/${proof}.prove.ts\n`);
  }
};

const sayLine = (line: string): void => console.log(line);

const showRows = ({ rows, skipped }: Result): string[] => [
  ...rows.map(({ outcome, sentence, figures }) => `    ${outcome.padEnd(12)}${[sentence, ...figures].join('; ')}`),
  ...(skipped ? [`    skipped   ${skipped}`] : []),
];

const asked = options.only?.split(',');
const all = Object.values(PROMISES).flat();
const chosen = all
  .flatMap(({ name, proofs = [] }) => proofs.map((proof) => ({ name, proof })))
  .filter(({ name, proof }) => !asked || asked.includes(name) || asked.includes(proof))
  .map(({ proof }) => proof);
const known = new Set(all.flatMap(({ name, proofs = [] }) => [name, ...proofs]));
const unknown = (asked ?? []).filter((name) => !known.has(name));
if (unknown.length > 0) {
  console.error(`There is no promise or proof called ${unknown.join(', ')}. Choose from: ${[...known].join(', ')}.`);
  process.exit(2);
}

const results = readResults();
const ran = new Map<string, Result>();
const lastLines = new Map<string, string[]>();
let counts: Counts = { passed: 0, failed: 0, skipped: 0 };
let seconds = 0;

const proveEach = async (proofs: string[], made: Record<string, string>, say: Said): Promise<void> => {
  for (let proof = proofs.shift(); proof !== undefined && !interrupted; proof = proofs.shift()) {
    say(`\nprove/${proof}.prove.ts\n`);
    const done = await run(proof, made, say);
    if (interrupted) return;
    ran.set(proof, done.result);
    if (done.result.rows.some(({ outcome }) => outcome === 'failed')) lastLines.set(proof, done.lastLines);
    results[proof] = done.result;
    counts = addCounts(counts, done.counts);
    say(`${done.result.seconds} s; other programs used ${showShare(done.result.others)} of the machine\n`);
  }
};

const proveSideBySide = async (proofs: readonly string[], made: Record<string, string>): Promise<void> => {
  const lasted = (proof: string) => results[proof]?.seconds ?? 0;
  const waiting = proofs.toSorted((one, other) => lasted(other) - lasted(one));
  const proveNext = async (): Promise<void> => {
    while (waiting.length > 0 && !interrupted) {
      const said: (Uint8Array | string)[] = [];
      await proveEach(waiting.splice(0, 1), made, (chunk) => said.push(chunk));
      for (const chunk of said) process.stdout.write(chunk);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, proveNext));
};

const ends: (() => Promise<void>)[] = [];
try {
  const made = chosen.length > 0 ? { ...(await startRunServers(ends)), ...(await makeProgram(ends)) } : {};
  const startedAt = performance.now();
  const alone = chosen.filter((proof) => !UNTIMED.includes(proof) && !WAITING.includes(proof));
  await proveEach(alone, made, (chunk) => process.stdout.write(chunk));
  for (const group of [WAITING, UNTIMED]) {
    await proveSideBySide(
      chosen.filter((proof) => group.includes(proof)),
      made,
    );
  }
  seconds = Math.round((performance.now() - startedAt) / 1000);
} finally {
  for (const end of ends) await end();
}

keepResults(results);
writeFileSync(join(ROOT, PAGE), createReliabilityPage(results));

for (const [section, promises] of Object.entries(PROMISES)) {
  const shown = promises.filter(
    ({ name, proofs }) => !asked || asked.includes(name) || proofs?.some((proof) => ran.has(proof)),
  );
  if (shown.length > 0) console.log(`\n${section}`);
  for (const promised of shown) {
    const { name, when, promise, proofs = [] } = promised;
    console.log(`${standingOf(promised, Object.fromEntries(ran)).padEnd(16)}${name}: ${when}: ${promise}`);
    for (const result of proofs.map((proof) => ran.get(proof))) if (result) showRows(result).forEach(sayLine);
  }
}

for (const [proof, lines] of lastLines) {
  console.log(`\nLast output of prove/${proof}.prove.ts:`);
  for (const line of lines) console.log(`    ${line}`);
}

console.log();
const busy = [...ran].filter(([, { others }]) => (others ?? 0) > BUSY_SHARE).map(([proof]) => proof);
if (busy.length > 0) {
  console.log(`The machine was too busy with other work, so missed times do not count in: ${busy.join(', ')}.`);
}
const missed = [...ran].filter(([, { rows }]) => rows.some(({ outcome }) => outcome === 'missed'));
if (inCi && missed.length > 0) {
  console.log(`In CI a missed time is not a failure: ${missed.map(([proof]) => proof).join(', ')}.`);
}
if (inCi && counts.skipped > 0) console.log('In CI a skipped proof is a failure.');
if (interrupted) console.log(`Interrupted by ${interrupted}: the result is incomplete.`);
console.log(`${ran.size} proof files in ${seconds} s`);
console.log(showCounts(counts));
process.exitCode = counts.failed > 0 || (inCi && counts.skipped > 0) ? 1 : 0;
if (interrupted) process.exitCode = SIGNALS[interrupted];

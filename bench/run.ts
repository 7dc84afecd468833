import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { measuredCommit } from '../build/commit.ts';
import { compile } from '../build/compile.ts';
import { encodeCursor } from '../src/http/input/cursor.ts';
import { compareWith } from './against.ts';
import { askCommandLine } from './command-line.ts';
import { measureIndexes } from './indexes.ts';
import { GENERATOR } from './load.ts';
import { askObserving } from './observing.ts';
import { askOverload } from './overload.ts';
import { askPage } from './page.ts';
import { keepPeers, showPeers } from './peer-report.ts';
import { comparePeers } from './peers.ts';
import { IS_PINNED, pinSelf } from './processes.ts';
import { type Answer, askGrowth, askImport, askMemory, copyOf, fill } from './questions.ts';
import { simulateQueues } from './queueing.ts';
import { keepResult, type Occasion, type Result, showAnswers, showResult } from './report.ts';
import { askScale } from './scale.ts';
import { runShared, type SharedRow, sharedLacks } from './shared.ts';
import { askStart } from './start.ts';
import { askTable } from './table.ts';
import { type Row, runWork, type Setting, WORKS } from './works.ts';

/**
 * - `--quick`: uses little data, takes less than two minutes and stores no result
 * - `--only=POST`: runs only the workloads whose name contains `POST`
 * - `--largest=1000000`: sets the largest number of pets in the growth series
 * - `--scale`: measures the cost of many instances on PostgreSQL
 * - `--instances=50`: sets how many instances run when `--scale` measures PgBouncer
 * - `--queueing`: simulates how long requests wait
 * - `--against=<commit>`: compares the processor times with those of another commit
 * - `--indexes`: measures the cost of each index
 * - `--peers`: compares the service with other servers
 */
const isQuick = process.argv.includes('--quick');
const given = (flag: string) =>
  process.argv.find((argument) => argument.startsWith(`${flag}=`))?.slice(flag.length + 1);
const only = given('--only');
const largest = Number(given('--largest') ?? 10_000_000);

const SIZE = isQuick
  ? {
      pets: 50_000,
      rounds: 1,
      seconds: 1,
      growth: [1000, 10_000],
      growthRounds: 1,
      memory: 5000,
      starts: 5,
      shared: 5000,
    }
  : {
      pets: 1_000_000,
      rounds: 5,
      seconds: 2,
      growth: [1000, 100_000, 1_000_000, 10_000_000],
      growthRounds: 3,
      memory: 100_000,
      starts: 15,
      shared: 100_000,
    };

const CURSORS = 100_000;

const writeCursors = (path: string, pets: number): void => {
  const binding = { list: 'listPets', filters: JSON.stringify({ status: 'available' }), order: 'asc' as const };
  const random = () => encodeCursor(binding, String(Math.floor(Math.random() * pets)));
  writeFileSync(path, `${Array.from({ length: CURSORS }, random).join('\n')}\n`);
};

const output = (...command: string[]): string => Bun.spawnSync(command).stdout.toString().trim();

const machine = (): Occasion['machine'] => ({
  processor: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  memoryGb: Math.round(totalmem() / 2 ** 30),
  node: output('node', '--version').replace('v', ''),
  bun: Bun.version,
  generator: GENERATOR,
  pinned: IS_PINNED,
});

const occasionOf = ({ pets, rounds, seconds }: Setting): Occasion => ({
  date: new Date().toISOString(),
  commit: measuredCommit(),
  machine: machine(),
  ...{ pets, rounds, seconds },
});

const say = (text: string): void => console.error(`${new Date().toISOString().slice(11, 19)}  ${text}`);

const runWorks = async (setting: Setting): Promise<Row[]> => {
  const rows: Row[] = [];
  for (const work of WORKS.filter(({ name }) => only === undefined || name.includes(only))) {
    const row = await runWork(work, { ...setting, database: copyOf(setting.database, 'work') });
    if (!row) {
      say(`${work.name}: skipped: slowing down the disk needs a C compiler`);
      continue;
    }
    say(`${work.name}: ${row.ratio.toFixed(2)} ×, p99 ${row.readings.ours?.p99Ms.toFixed(1)} ms`);
    rows.push(row);
  }
  return rows;
};

const runAllShared = async (setting: Setting): Promise<SharedRow[]> => {
  const lacking = sharedLacks();
  if (lacking !== undefined) {
    say(`on PostgreSQL and Redis: skipped: ${lacking}`);
    return [];
  }
  if (only !== undefined && !'PostgreSQL'.includes(only)) return [];
  const rows = await runShared(setting, SIZE.shared);
  for (const { work, ratio } of rows) say(`${work}: ${ratio.toFixed(2)} × per core`);
  return rows;
};

/** If a measurement fails, the run continues, so that the results of the other measurements are kept. */
const askSafely = async (name: string, ask: () => Promise<Answer[]> | Answer[]): Promise<Answer[]> => {
  try {
    const answers = await ask();
    for (const { question, answer } of answers) say(`${question}: ${answer}`);
    return answers;
  } catch (error) {
    const answer = `failed: ${(error as Error).message}`;
    say(`${name}: ${answer}`);
    return [{ question: name, promise: 'measured', answer, isMet: false }];
  }
};

const inChromium = (setting: Setting, ask: typeof askPage) => async (): Promise<Answer[]> => {
  const answer = await ask({ ...setting, database: copyOf(setting.database, 'page') });
  if (!answer) say('a page in a browser: skipped: Chromium is not installed; npm run services:install installs it');
  return answer ? [answer] : [];
};

const askAll = async (setting: Setting, databases: ReadonlyMap<number, string>): Promise<Answer[]> => {
  const [most, path] = [...databases].at(-1) as [number, string];
  const started = new Map([
    ['an empty database', join(setting.directory, 'empty.db')],
    [`${most.toLocaleString('en')} pets`, path],
  ]);
  const file = join(setting.directory, 'petstore');
  await compile({ outfile: file, commit: 'bench' });
  const copied = (name: string): Setting => ({ ...setting, database: copyOf(setting.database, name) });
  const questions: [string, () => Promise<Answer[]> | Answer[]][] = [
    ['time per request with more pets', () => askGrowth({ ...setting, rounds: SIZE.growthRounds }, databases)],
    ['time from start to first 200', () => askStart(file, setting, started)],
    ['the command line', () => askCommandLine(file, setting)],
    ['metrics and traces', askObserving],
    ['memory', async () => [await askMemory(copied('memory'), SIZE.memory)]],
    ['overload', () => askOverload({ ...copied('overload'), rounds: 1 })],
    ['the reference page', inChromium(setting, askPage)],
    ['the table of pets', inChromium(setting, askTable)],
  ];
  const answers: Answer[] = [];
  for (const [name, ask] of questions) answers.push(...(await askSafely(name, ask)));
  return answers;
};

const printScale = async (directory: string): Promise<Answer[]> => {
  const instances = Number(given('--instances') ?? 10);
  const size = isQuick
    ? { idleSeconds: 20, requests: 100, rounds: 1, instances }
    : { idleSeconds: 60, requests: 200, rounds: 3, instances };
  const answers = await askScale(size, directory, say);
  console.log(showAnswers(answers).join('\n'));
  return answers;
};

const prepare = async (directory: string) => {
  pinSelf();
  const database = join(directory, 'petstore.db');
  const filled = await fill(database, SIZE.pets);
  const cursorFile = join(directory, 'cursors');
  writeCursors(cursorFile, SIZE.pets);
  const { pets, rounds, seconds, starts } = SIZE;
  const setting: Setting = {
    directory,
    database,
    log: join(directory, 'log'),
    cursorFile,
    pets,
    rounds,
    seconds,
    starts,
  };
  return { filled, setting };
};

const printComparison = async (commit: string, directory: string): Promise<Answer[]> => {
  const { setting } = await prepare(directory);
  console.log(await compareWith(commit, setting));
  return [];
};

const printIndexes = async (directory: string): Promise<Answer[]> => {
  console.log(await measureIndexes(directory, isQuick ? 20_000 : 200_000));
  return [];
};

const printPeers = async (directory: string): Promise<Answer[]> => {
  const { setting } = await prepare(directory);
  const result = { ...occasionOf(setting), ...(await comparePeers(setting, only, say)) };
  console.log(showPeers(result));
  if (!isQuick && only === undefined) say(`saved as ${keepPeers(result)}`);
  return result.answers;
};

const printAll = async (directory: string) => {
  const { filled, setting } = await prepare(directory);
  const { database, cursorFile } = setting;
  const imported = askImport(filled);
  say(`${imported.question}: ${imported.answer}`);

  const databases = new Map<number, string>();
  if (only === undefined) {
    for (const size of SIZE.growth.filter((size) => size <= largest)) {
      const path = size === SIZE.pets ? copyOf(database, 'growth') : join(directory, `${size}.db`);
      if (size !== SIZE.pets) await fill(path, size);
      writeCursors(`${cursorFile}-${size}`, size);
      databases.set(size, path);
    }
  }
  const result: Result = {
    ...occasionOf(setting),
    rows: await runWorks(setting),
    shared: await runAllShared(setting),
    answers: [imported, ...(only === undefined ? await askAll(setting, databases) : [])],
  };
  console.log(showResult(result));
  if (!isQuick && only === undefined) say(`saved as ${keepResult(result)}`);
  return [...result.rows, ...(result.shared ?? []), ...result.answers];
};

if (process.argv.includes('--queueing')) {
  console.log(simulateQueues());
} else {
  const directory = mkdtempSync(join(process.env.BENCH_DIRECTORY ?? tmpdir(), 'petstore-bench-'));
  try {
    const commit = given('--against');
    const print = () => {
      if (commit !== undefined) return printComparison(commit, directory);
      if (process.argv.includes('--indexes')) return printIndexes(directory);
      if (process.argv.includes('--peers')) return printPeers(directory);
      return process.argv.includes('--scale') ? printScale(directory) : printAll(directory);
    };
    const rows = await print();
    const missed = rows.filter(({ isMet }) => !isMet).length;
    if (rows.length > 0) say(missed === 0 ? 'all promises are met' : `${missed} promises are not met`);
    process.exitCode = missed === 0 ? 0 : 1;
  } finally {
    rmSync(directory, { recursive: true });
  }
}

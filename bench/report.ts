import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Answer } from './questions.ts';
import type { SharedRow } from './shared.ts';
import type { Row } from './works.ts';

export type Result = {
  date: string;
  commit: string;
  machine: {
    processor: string;
    cores: number;
    memoryGb: number;
    node: string;
    bun: string;
    generator: string;
    pinned: boolean;
  };
  pets: number;
  rounds: number;
  seconds: number;
  rows: Row[];
  /** Missing without PostgreSQL or Redis. */
  shared?: SharedRow[];
  answers: Answer[];
};

const DIRECTORY = join(import.meta.dir, 'results');
const ROOT = join(import.meta.dir, '..');
const START = '<!-- What follows is written by `npm run bench`. -->';
const END = '<!-- Here it ends. -->';

const perSecond = (value: number | undefined): string => Math.round(value ?? 0).toLocaleString('en');
const verdict = (isMet: boolean): string => (isMet ? 'yes' : '**no**');

const showRow = ({ work, promise, readings, ratio, p99Ratio, isMet }: Row): string => {
  const { ours, node, bun } = readings;
  if (!ours || !node || !bun) throw new Error(`${work} has no reading of a server`);
  const shown =
    promise.endsWith('×') && promise.startsWith('p99') ? `${p99Ratio.toFixed(2)} × p99` : `${ratio.toFixed(2)} ×`;
  const cells = [
    ...[work, perSecond(ours.perSecond), perSecond(node.perSecond), perSecond(bun.perSecond), shown],
    ...[
      promise,
      verdict(isMet),
      `${ours.p50Ms.toFixed(1)} / ${ours.p99Ms.toFixed(1)}`,
      `${node.p50Ms.toFixed(1)} / ${node.p99Ms.toFixed(1)}`,
    ],
    ...[
      `${ours.cpuMicros.toFixed(0)} / ${node.cpuMicros.toFixed(0)} / ${bun.cpuMicros.toFixed(0)}`,
      ours.residentMb.toFixed(0),
    ],
  ];
  return `| ${cells.join(' | ')} |`;
};

const showShared = ({ work, promise, readings: { ours, bare }, ratio, isMet }: SharedRow): string => {
  if (!ours || !bare) throw new Error(`${work} has no reading of a server`);
  const cells = [
    ...[work, perSecond(ours.perSecond), perSecond(bare.perSecond)],
    `${ours.cpuMicros.toFixed(0)} / ${bare.cpuMicros.toFixed(0)}`,
    ...[`${ratio.toFixed(2)} ×`, promise, verdict(isMet)],
    ...[ours, bare].map(({ p50Ms, p99Ms }) => `${p50Ms.toFixed(1)} / ${p99Ms.toFixed(1)}`),
    ours.residentMb.toFixed(0),
  ];
  return `| ${cells.join(' | ')} |`;
};

const sharedTable = (rows: readonly SharedRow[]): string[] =>
  rows.length === 0
    ? []
    : [
        '| work | ours, requests a second | bare `Bun.serve` with the same two round trips | µs of processor: ours / bare | ratio per core | promise | met | our p50 / p99, ms | its p50 / p99, ms | MB |',
        '|---|--:|--:|--:|--:|---|---|--:|--:|--:|',
        ...rows.map(showShared),
        '',
      ];

/** Formats the table for people. */
export const showResult = ({ date, commit, machine, pets, rounds, seconds, rows, shared, answers }: Result): string =>
  [
    `${date.slice(0, 10)}, commit ${commit.slice(0, 10)}; ${machine.cores} cores of ${machine.processor}, ${machine.memoryGb} GB; Node ${machine.node}, Bun ${machine.bun};`,
    `${pets.toLocaleString('en')} pets; medians of ${rounds} interleaved rounds of ${seconds} s, ${machine.generator}, 64 connections, server and load ${machine.pinned ? 'on one core each' : 'not pinned'}.`,
    '',
    '| work | ours, requests a second | bare `node:http` | bare `Bun.serve` | ratio to `node:http` | promise | met | our p50 / p99, ms | `node:http` p50 / p99, ms | µs of processor: ours / node / Bun | MB |',
    '|---|--:|--:|--:|--:|---|---|--:|--:|--:|--:|',
    ...rows.map(showRow),
    '',
    ...sharedTable(shared ?? []),
    '| question | answer | promise | met |',
    '|---|---|---|---|',
    ...answers.map(
      ({ question, answer, promise, isMet }) => `| ${question} | ${answer} | ${promise} | ${verdict(isMet)} |`,
    ),
  ].join('\n');

/** Summarizes in two lines: a read, a page and a creation relative to a bare server, and how many targets are met. */
const showSummary = ({ rows, shared, answers }: Result): string => {
  const seen = [rows[0], rows[1], rows.find(({ work }) => work.startsWith('`POST'))].flatMap((row) =>
    row ? [`${row.work}: ${perSecond(row.readings.ours?.perSecond)} a second, ${row.ratio.toFixed(2)} ×`] : [],
  );
  const promises = [...rows, ...(shared ?? []), ...answers];
  const met = promises.filter(({ isMet }) => isMet).length;
  return [
    `${seen.join('; ')} (relative to a bare \`node:http\` in the same rounds).`,
    `${met} of ${promises.length} speed targets are met; [the table](docs/performance.md) lists the others with their figures.`,
  ].join('\n');
};

/** The newest stored result by file name, which starts with its date. */
export const newestResult = (): Result | undefined => {
  const newest = readdirSync(DIRECTORY)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .at(-1);
  return newest === undefined ? undefined : JSON.parse(readFileSync(join(DIRECTORY, newest), 'utf8'));
};

/** Replaces the figures in a document. */
const withFigures = (document: string, figures: string): string => {
  const [before, rest] = document.split(START);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) throw new Error('the document has no marks around its figures');
  return `${before}${START}\n\n${figures}\n\n${END}${after}`;
};

/** All documents that show figures, updated to this result. */
export const documentsWith = (result: Result): Record<string, string> =>
  Object.fromEntries(
    Object.entries({ 'README.md': showSummary, 'docs/performance.md': showResult }).map(([path, show]) => [
      path,
      withFigures(readFileSync(join(ROOT, path), 'utf8'), show(result)),
    ]),
  );

/** Stores a result and updates the documents. */
export const keepResult = (result: Result): string => {
  const name = `${result.date.replaceAll(/[:.]/g, '-')}.json`;
  writeFileSync(join(DIRECTORY, name), `${JSON.stringify(result, null, 1)}\n`);
  for (const [path, text] of Object.entries(documentsWith(result))) writeFileSync(join(ROOT, path), text);
  return `bench/results/${name}`;
};

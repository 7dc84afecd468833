import { describe, expect, test } from 'bun:test';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, readDocument } from '../test/documents.ts';
import { OUTCOMES } from './outcome.ts';
import { PROMISES } from './promises.ts';
import { createReliabilityPage, standingOf } from './reliability-page.ts';
import { readResults } from './results.ts';
import { UNTIMED, WAITING } from './side-by-side.ts';

const all = Object.values(PROMISES).flat();
const PAGE = 'docs/reliability.md';

describe('the promises', () => {
  test('have unique names', () => {
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
  });

  test('list every proof file, each under one promise', () => {
    const files = readdirSync(join(ROOT, 'prove')).filter((name) => name.endsWith('.prove.ts'));
    const listed = all.flatMap(({ proofs = [] }) => proofs.map((proof) => `${proof}.prove.ts`));
    expect(listed.sort()).toEqual(files.sort());
  });

  test('name only tests that exist', () => {
    expect(all.flatMap(({ tests = [] }) => tests).filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });
});

test('a proof may run alongside any other proof only if it measures no time', () => {
  const measures = UNTIMED.filter((proof) => /\b(time|goal)\(/.test(readDocument(`prove/${proof}.prove.ts`)));
  expect(measures).toEqual([]);
  expect(WAITING.filter((proof) => UNTIMED.includes(proof))).toEqual([]);
});

describe('the reliability page', () => {
  test('has one line for each promise, with its status', () => {
    const lines = readDocument(PAGE).split('\n');
    for (const promised of all) {
      const found = lines.filter((line) => line.startsWith(`| ${promised.name} |`));
      expect(found).toHaveLength(1);
      expect(found[0]).toContain(promised.promise);
      expect(found[0]).toEndWith(`| ${standingOf(promised, readResults())} |`);
    }
  });

  test('shows date, machine and commit for the figures of every proof file', () => {
    const sections = readDocument(PAGE).split(/^### /m).slice(1);
    expect(sections).toHaveLength(all.flatMap(({ proofs = [] }) => proofs).length);
    for (const section of sections) {
      expect(section).toMatch(
        /^`prove\/[\w-]+\.prove\.ts`\n\n(Short|Long) run on \d{4}-\d\d-\d\d at commit [0-9a-f]{7,}/,
      );
      expect(section).toMatch(new RegExp(`^- (\\*\\*(${OUTCOMES.join('|')})\\*\\*|skipped): `, 'm'));
    }
  });

  test('calls a promise met only if each of its files has run with the promised counts, and none was skipped in part', () => {
    const kills = all.find(({ name }) => name === 'kills');
    if (!kills?.proofs) throw new Error('there is no promise of kills');
    const rows = [{ sentence: 'it holds', outcome: 'met' as const, figures: [] }];
    const ran = { rows, skipped: null, isLong: true, seconds: 1, others: 0, date: '', commit: '', machine: '' };
    const [first = '', ...others] = kills.proofs;
    expect(standingOf(kills, {})).toBe('not run yet');
    expect(standingOf(kills, { [first]: ran })).toBe('met in part');
    const whole = Object.fromEntries(kills.proofs.map((proof) => [proof, ran]));
    expect(standingOf(kills, whole)).toBe('met');
    expect(standingOf(kills, { ...whole, [others[0] as string]: { ...ran, skipped: 'no server' } })).toBe(
      'met in part',
    );
    expect(standingOf(kills, { ...whole, [first]: { ...ran, isLong: false } })).toBe('met, short run');
    const failed = { ...ran, rows: [...rows, { sentence: 'it does not', outcome: 'failed' as const, figures: [] }] };
    expect(standingOf(kills, { ...whole, [first]: failed })).toBe('failed');
    expect(createReliabilityPage({ ...whole, [first]: failed })).toContain('- **failed**: it does not');
  });
});

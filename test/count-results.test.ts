import { describe, expect, test } from 'bun:test';
import { addCounts, countResults, showCounts, slowestFiles } from './count-results.ts';

const report = (tests: number, failures: number, skipped: number) =>
  `<?xml version="1.0"?>\n<testsuites name="bun test" tests="${tests}" assertions="9" failures="${failures}" skipped="${skipped}" time="0.1">\n` +
  '  <testsuite name="a" tests="99" failures="99" skipped="99">\n</testsuites>';

describe('the last line of a test run', () => {
  test('counts passed, failed and skipped tests', () => {
    expect(showCounts(countResults(report(10, 2, 3), 1))).toBe('5 passed, 2 failed, 3 skipped');
  });

  test('omits skips when there are none', () => {
    expect(showCounts(countResults(report(10, 0, 0), 0))).toBe('10 passed, 0 failed');
  });

  test('adds the counts of two runs', () => {
    const [one, other] = [countResults(report(10, 2, 3), 1), countResults(report(100, 20, 30), 1)];
    expect(showCounts(addCounts(one, other))).toBe('55 passed, 22 failed, 33 skipped');
  });

  test('counts a failure that is missing from the report', () => {
    expect(showCounts(countResults(report(10, 0, 0), 1))).toBe('10 passed, 1 failed');
  });

  test('counts a runner that left no report as a failure', () => {
    expect(showCounts(countResults(undefined, 139))).toBe('0 passed, 1 failed');
  });

  test('counts a run without any test as a failure', () => {
    expect(showCounts(countResults(report(0, 0, 0), 0))).toBe('0 passed, 1 failed');
  });
});

test('the slowest files come first, each with its total time', () => {
  const suite = (file: string, seconds: string) =>
    `  <testsuite name="${file}" file="${file}" tests="2" assertions="1" failures="0" skipped="0" time="${seconds}" hostname="h">\n` +
    `    <testsuite name="inner" file="${file}" line="1" tests="1" time="99" hostname="h">\n    </testsuite>\n  </testsuite>\n`;
  const all = `<testsuites tests="6">\n${suite('a.test.ts', '0.5')}${suite('b.test.ts', '12.25')}${suite('c.test.ts', '3')}</testsuites>`;
  expect(slowestFiles(all, 2)).toEqual([
    { file: 'b.test.ts', seconds: 12.25 },
    { file: 'c.test.ts', seconds: 3 },
  ]);
});

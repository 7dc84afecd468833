import { expect, test } from 'bun:test';
import { newestResult, withTable } from '../bench/report.ts';
import { readDocument } from './documents.ts';

test('the README shows the newest result of the benchmark, and no other', () => {
  const result = newestResult();
  if (!result) throw new Error('no result is kept in bench/results');
  const readme = readDocument('README.md');
  expect(withTable(readme, result)).toBe(readme);
});

test('the newest result has every work and names its machine and commit', () => {
  const { commit, machine, rows, answers } = newestResult() ?? {};
  expect(commit).toMatch(/^[0-9a-f]{40}$/);
  expect(machine).toMatchObject({ cores: expect.any(Number), node: expect.any(String), bun: expect.any(String) });
  expect(rows?.length).toBeGreaterThanOrEqual(7);
  expect(answers?.length).toBeGreaterThanOrEqual(7);
});

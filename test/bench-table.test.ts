import { expect, test } from 'bun:test';
import { documentsWith, newestResult, showResult } from '../bench/report.ts';
import { readDocument } from './documents.ts';

test('the README and docs/performance.md show the newest benchmark result', () => {
  const result = newestResult();
  if (!result) throw new Error('no result is kept in bench/results');
  for (const [path, text] of Object.entries(documentsWith(result))) expect(readDocument(path)).toBe(text);
});

test('the newest result covers every workload and names its machine and commit', () => {
  const { commit, machine, rows, answers } = newestResult() ?? {};
  expect(commit).toMatch(/^[0-9a-f]{40}$/);
  expect(machine).toMatchObject({ cores: expect.any(Number), node: expect.any(String), bun: expect.any(String) });
  expect(rows?.length).toBeGreaterThanOrEqual(7);
  expect(answers?.length).toBeGreaterThanOrEqual(7);
});

test('a result shows figures for PostgreSQL and Redis only if they were measured', () => {
  const result = newestResult();
  if (!result) throw new Error('no result is kept in bench/results');
  const reading = { perSecond: 6261, p50Ms: 8.4, p99Ms: 35.6, cpuMicros: 136, residentMb: 102 };
  const readings = { ours: reading, bare: { ...reading, perSecond: 10_470, cpuMicros: 85 } };
  const row = { work: 'get', promise: '≥ 0.5 × per core', readings, ratio: 0.625, isMet: true };
  expect(showResult({ ...result, shared: [] })).not.toContain('same two round trips');
  expect(showResult({ ...result, shared: [row] })).toContain(
    '| get | 6,261 | 10,470 | 136 / 85 | 0.63 × | ≥ 0.5 × per core | yes | 8.4 / 35.6 | 8.4 / 35.6 | 102 |',
  );
});

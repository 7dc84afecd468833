import { describe, expect, test } from 'bun:test';
import { isFailure, judge, worstOf } from './outcome.ts';
import type { ProofReport } from './proof.ts';

const report = (fields: Partial<ProofReport> = {}): ProofReport => ({
  sentence: 'it holds',
  isFailed: false,
  figures: ['0 of 7 lost'],
  times: [{ what: 'ready after', ms: 900, maxMs: 1000 }],
  ...fields,
});
const late = { times: [{ what: 'ready after', ms: 1001, maxMs: 1000 }] };

describe('a proof', () => {
  test('is met if its expectations hold and every time is within its limit', () => {
    const row = judge(report(), 0);
    expect(row).toEqual({
      sentence: 'it holds',
      outcome: 'met',
      figures: ['0 of 7 lost', 'ready after 900 ms (at most 1,000 ms)'],
    });
    expect(isFailure(row, false)).toBe(false);
  });

  test('is missed if a time exceeds its limit on a quiet machine, and fails except in CI', () => {
    const row = judge(report(late), 0.05);
    expect(row.outcome).toBe('missed');
    expect(row.figures).toContain('ready after 1,001 ms (missed: at most 1,000 ms)');
    expect([isFailure(row, false), isFailure(row, true)]).toEqual([true, false]);
  });

  test('does not fail if a time exceeds its limit while other programs use the machine', () => {
    const row = judge(report(late), 0.5);
    expect([row.outcome, isFailure(row, false)]).toEqual(['too busy', false]);
  });

  test('is not reached, and does not fail, if only a goal is missed on a quiet machine', () => {
    const [time] = late.times as [(typeof late.times)[number]];
    const row = judge(report({ times: [{ ...time, isGoal: true }] }), 0);
    expect([row.outcome, isFailure(row, false)]).toEqual(['not reached', false]);
    expect(judge(report({ times: [{ ...time, isGoal: true }, time] }), 0).outcome).toBe('missed');
  });

  test('fails on any machine if an expectation does not hold', () => {
    for (const others of [undefined, 0, 1]) {
      const row = judge(report({ isFailed: true }), others);
      expect([row.outcome, isFailure(row, false), isFailure(row, true)]).toEqual(['failed', true, true]);
    }
  });

  test('is neither met nor failed if it was not asked', () => {
    const row = judge(report({ isOpen: true }), 0);
    expect([row.outcome, isFailure(row, false)]).toEqual(['not asked', false]);
    expect(worstOf([judge(report(), 0), row])).toBe('not asked');
    expect(judge(report({ isOpen: true, isFailed: true }), 0).outcome).toBe('failed');
  });

  test('counts its times if the use of the machine is unknown', () => {
    expect(judge(report(late), undefined).outcome).toBe('missed');
  });
});

test('the worst of several proofs is the status of a promise', () => {
  const rows = [judge(report(), 0), judge(report(late), 1)];
  expect(worstOf([])).toBeUndefined();
  expect(worstOf(rows)).toBe('too busy');
  expect(worstOf([judge(report({ isFailed: true }), 0), ...rows])).toBe('failed');
});

import { describe, expect, test } from 'bun:test';
import type { Sample } from '../../kernel/metrics.ts';
import { gauge, perSecond, quantile } from './figures.ts';

const at = (seconds: number, ...samples: [name: string, value: number, labels?: Sample['labels']][]) => ({
  atMs: seconds * 1000,
  samples: samples.map(([name, value, labels = {}]) => ({ name, value, labels })),
});

describe('a rate', () => {
  const requests = (ok: number, failed: number): [string, number, Sample['labels']][] => [
    ['requests', ok, { status: '200' }],
    ['requests', failed, { status: '500' }],
  ];

  test('is the increase per second of the matching series', () => {
    const [before, now] = [at(0, ...requests(10, 1)), at(5, ...requests(30, 6))];
    expect(perSecond('requests').read(before, now)).toBe(5);
    expect(perSecond('requests', ({ status }) => status === '500').read(before, now)).toBe(1);
  });

  test('counts a series that is new since the last snapshot', () => {
    expect(perSecond('requests').read(at(0), at(2, ...requests(4, 0)))).toBe(2);
  });

  test('is 0 before the first request', () => {
    expect(perSecond('requests').read(at(0), at(5))).toBe(0);
  });

  test('is unknown in the first snapshot, and if no time has passed', () => {
    const now = at(5, ...requests(1, 1));
    expect(perSecond('requests').read(undefined, now)).toBeNull();
    expect(perSecond('requests').read(now, now)).toBeNull();
  });
});

describe('a gauge', () => {
  test('is the current value in the requested unit', () => {
    expect(gauge('lag_seconds', 1000).read(undefined, at(0, ['lag_seconds', 0.5]))).toBe(500);
  });

  test('is unknown if the metric is missing', () => {
    expect(gauge('lag_seconds', 1000).read(undefined, at(0))).toBeNull();
  });
});

describe('a quantile', () => {
  const took = (...counts: number[]) =>
    ['0.1', '0.2', '+Inf'].map((le, index): [string, number, Sample['labels']] => [
      'took_bucket',
      counts[index] as number,
      { le },
    ]);
  const read = (share: number, before: number[], now: number[]) =>
    quantile('took', share, 1000).read(at(0, ...took(...before)), at(5, ...took(...now)));

  test('is interpolated from the observations since the last snapshot', () => {
    expect(read(0.5, [5, 5, 5], [15, 25, 25])).toBeCloseTo(100);
    expect(read(0.75, [5, 5, 5], [15, 25, 25])).toBeCloseTo(150);
    expect(read(0.25, [5, 5, 5], [15, 25, 25])).toBeCloseTo(50);
  });

  test('adds up the series of all labels', () => {
    const both = [...took(10, 10, 10), ...took(0, 10, 10)];
    expect(quantile('took', 0.75, 1000).read(at(0), at(5, ...both))).toBeCloseTo(150);
  });

  test('is at most the last finite bound', () => {
    expect(read(0.99, [0, 0, 0], [0, 0, 4])).toBe(200);
    expect(read(0.99, [0, 0, 0], [0, 1, 4])).toBe(200);
  });

  test('is unknown without observations since the last snapshot', () => {
    expect(read(0.5, [1, 1, 1], [1, 1, 1])).toBeNull();
    expect(quantile('took', 0.5).read(undefined, at(0, ...took(1, 1, 1)))).toBeNull();
  });
});

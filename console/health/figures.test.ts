import { describe, expect, test } from 'bun:test';
import { errorLines } from './error-lines.ts';
import { quantileOf, rateOf, sumOf } from './figures.ts';
import { readMetrics } from './metrics-text.ts';

const at = (seconds: number, ...lines: string[]) => ({ at: seconds * 1000, samples: readMetrics(lines.join('\n')) });

describe('a metrics page', () => {
  test('is parsed with labels, and without comments', () => {
    expect(readMetrics('# HELP a b\na{x="1,\\"2\\"}",y="\\\\n"} 3\nb 4.5e-3\n\n')).toEqual([
      { name: 'a', labels: { x: '1,"2"}', y: '\\n' }, value: 3 },
      { name: 'b', labels: {}, value: 0.0045 },
    ]);
  });

  test('is summed by metric and labels', () => {
    const look = at(0, 'requests{status="200"} 3', 'requests{status="404"} 2');
    expect(sumOf(look, 'requests')).toBe(5);
    expect(sumOf(look, 'requests', ({ status }) => status === '404')).toBe(2);
    expect(sumOf(look, 'others')).toBeUndefined();
  });
});

describe('the rate of a counter', () => {
  test('is its increase per second', () => {
    expect(rateOf(at(0, 'requests 10'), at(5, 'requests 30'), 'requests')).toBe(4);
  });

  test('restarts with the process', () => {
    expect(rateOf(at(0, 'requests 1000'), at(5, 'requests 10'), 'requests')).toBe(2);
  });

  test('is unknown for a missing counter', () => {
    expect(rateOf(at(0), at(5), 'requests')).toBeNull();
  });
});

describe('errors by code', () => {
  const errors = (counts: Record<string, number>) =>
    Object.entries(counts).map(([code, count]) => `petstore_http_errors_total{code="${code}",status="404"} ${count}`);
  const labelsOf = (...looks: Record<string, number>[]) =>
    errorLines(looks.map((counts, index) => at(index, ...errors(counts)))).map(({ label }) => label);

  test('have a line for each code that increased, sorted by name', () => {
    expect(labelsOf({ a: 9, b: 0, c: 0 }, { a: 9, b: 1, c: 2 })).toEqual(['b', 'c']);
    expect(labelsOf({ a: 9 }, { a: 2 })).toEqual(['a']);
  });

  test('share one line beyond the maximum, and have a line of zeros without errors', () => {
    const many = Object.fromEntries([...'abcdefgh'].map((code) => [code, 8 - 'abcdefgh'.indexOf(code)]));
    const none = Object.fromEntries(Object.keys(many).map((code) => [code, 0]));
    expect(labelsOf(none, many)).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'others']);
    expect(labelsOf(none, none)).toEqual(['none']);
    const [before, now] = [at(0, ...errors(none)), at(1, ...errors(many))];
    expect(errorLines([before, now]).map(({ value }) => value(before, now))).toEqual([8, 7, 6, 5, 4, 3, 3]);
    expect(errorLines([before, before]).map(({ value }) => value(before, at(1, ...errors(none))))).toEqual([0]);
  });
});

describe('a quantile', () => {
  const buckets = (...counts: number[]) =>
    ['0.1', '0.2', '+Inf'].map((le, index) => `took_bucket{le="${le}"} ${counts[index]}`);

  test('is interpolated from the observations between two snapshots', () => {
    const [before, now] = [at(0, ...buckets(5, 5, 5)), at(5, ...buckets(15, 25, 25))];
    expect(quantileOf(before, now, 'took', 0.5)).toBeCloseTo(0.1);
    expect(quantileOf(before, now, 'took', 0.75)).toBeCloseTo(0.15);
  });

  test('is at most the last finite bucket bound', () => {
    expect(quantileOf(at(0, ...buckets(0, 0, 0)), at(5, ...buckets(0, 0, 4)), 'took', 0.99)).toBe(0.2);
  });

  test('is unknown without observations', () => {
    expect(quantileOf(at(0, ...buckets(1, 1, 1)), at(5, ...buckets(1, 1, 1)), 'took', 0.5)).toBeNull();
  });
});
